"""Games, matches, records, and replay."""
