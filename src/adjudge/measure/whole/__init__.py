"""The few measurements that are no sentence of adjust, count and measure."""
