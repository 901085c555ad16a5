"""What is measured: games in, times and averages out."""
