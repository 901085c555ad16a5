"""Rooms in the browser: a server that keeps matches, lets people and bots sit down, and shows each of them what they may see."""
