"""The least and the largest value that a measure can have once the documents without a judgment are judged.

```
lists       the lists in a plan, with the documents to grade        arrays   the same as arrays, many lists at once
forms       which measure has which form                            gradings values under gradings, by the engine
sums        discounted sums of gains over an ideal, also of pairs   by_number  what the number of relevant ones decides
```
"""
