// How search results are ordered: as Sphinx does it, but what the query names comes first.
var Scorer = { // var: another script declares it too
  score: ([, title, , , score]) => {
    const query = (new URLSearchParams(location.search).get("q") ?? "").toLowerCase().trim();
    const named = title.toLowerCase();
    return score + (query && named === query ? 1000 : query && named.startsWith(query) ? 200 : query && named.includes(query) ? 100 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
