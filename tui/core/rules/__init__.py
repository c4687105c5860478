"""What happens when an action is asked, and what a system must say."""
