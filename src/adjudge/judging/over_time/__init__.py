"""Values as time goes by: windows of time, and streams of points or of incidents and alerts."""
