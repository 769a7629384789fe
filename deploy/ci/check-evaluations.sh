#!/bin/sh
# Checks evaluation files without running them, and fails if one has a fault. Usage: check-evaluations.sh FILE…
set -eu

code=0
for file; do
  ${ASSAY:-assay} eval plan --local "$file" || code=1
done
exit "$code"
