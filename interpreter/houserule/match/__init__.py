"""Games and matches of them, records, and replaying those."""
