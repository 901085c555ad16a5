"""What is done with games beyond playing one match: bots, scenarios, simulation."""
