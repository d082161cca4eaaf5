"""Workers that find advice and the expert's moves on threads of their own, outside the referee's lock."""
