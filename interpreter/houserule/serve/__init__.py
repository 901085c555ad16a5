"""Rooms in the browser: a server that keeps matches, seats people and bots, and shows each of them what they may see."""
