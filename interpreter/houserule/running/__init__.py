"""Running programs: the state of a match, random play at full speed, and faults."""
