"""What players are asked, told and shown, and in which words."""
