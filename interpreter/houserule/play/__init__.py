"""What is done with games beyond playing one match: bots, simulation, trials, reports."""
