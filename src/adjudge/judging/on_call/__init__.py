"""Alerts beside incidents, as on-call teams have them: things on instants, without a grid."""
