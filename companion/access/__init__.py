"""Who may play: the table's code, the phones' passes, and the invitation that carries them."""
