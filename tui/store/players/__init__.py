"""What players' terminals read: their pages, and who watches."""
