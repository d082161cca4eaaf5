"""``python -m companion`` is ``puluc``."""

from companion.cli import main

if __name__ == "__main__":
    main()
