"""Printed sheets and boards, as PDF files at true scale."""
