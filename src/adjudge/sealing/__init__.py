"""A judge that may be asked many times: contract, ledger, one bit an answer."""
