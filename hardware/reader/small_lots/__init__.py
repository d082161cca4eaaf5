"""Reading small lots: kernels, beans, coins and cubes."""
