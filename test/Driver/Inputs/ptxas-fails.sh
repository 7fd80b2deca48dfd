#!/bin/sh
# A ptxas that fails without a word.
exit 3
