// Every drawing becomes one that answers: nothing is compiled from text, and nothing is asked of the network.
const options = {
  ast: true, actions: false, renderer: "svg", defaultStyle: false, tooltip: { disableDefaultStyle: true },
};
for (const script of document.querySelectorAll('script[type="application/json"]')) {
  const still = script.previousElementSibling;
  const live = document.createElement("div");
  live.setAttribute("role", "img");
  live.setAttribute("aria-label", script.dataset.description);
  // The text says what the whole shows; single marks are in the table.
  const marks = document.createElement("div");
  marks.setAttribute("aria-hidden", "true");
  live.append(marks);
  still.before(live);
  vegaEmbed(marks, JSON.parse(script.textContent), options).then(() => still.remove(), () => live.remove());
}
