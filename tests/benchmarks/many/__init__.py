"""Many at one table: a thousand creatures, fifty thousand steps, eight players' terminals on one host."""
