"""Workers that find advice, Expert's moves and people's strength on threads of their own, without the lock."""
