// What can be measured of a page as it stands at the window's present size. Evaluated by the tests.
() => {
  const shown = (el) => el.checkVisibility({ visibilityProperty: true }) && el.getClientRects().length > 0;
  const all = (selector, root = document) => [...root.querySelectorAll(selector)].filter(shown);
  const name = (el) => {
    const text = (el.innerText || el.getAttribute("aria-label") || el.name || "").trim();
    return `${el.tagName.toLowerCase()}.${el.className} ${JSON.stringify(text.slice(0, 40))}`;
  };
  const box = (el) => el.getBoundingClientRect();
  const apart = (a, b) =>
    a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  const covers = (a, b) =>
    a.left <= b.left + 1 && a.right >= b.right - 1 && a.top <= b.top + 1 && a.bottom >= b.bottom - 1;

  // A link among the words of a sentence is as tall as its line, which WCAG 2.5.8 allows.
  const inSentence = (el) => {
    if (el.tagName !== "A" || getComputedStyle(el).display !== "inline") return false;
    const around = el.closest("p, li, dd, td, th, blockquote, label, span:not(:only-child)");
    return !!around && around.innerText.trim().length > el.innerText.trim().length;
  };
  // What a person hits: the control itself, or the label that ticks it.
  const hit = (el) => {
    const labels = [...(el.labels || [])].filter(shown);
    const areas = /^(checkbox|radio|file)$/.test(el.type) ? [el, ...labels] : [el];
    return areas.map(box).some((area) => area.width >= 23.9 && area.height >= 23.9);
  };
  const TARGETS = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  const small = all(TARGETS)
    .filter((el) => !el.disabled && !el.closest(".vh, .skip:not(:focus)") && !inSentence(el) && !hit(el))
    .map((el) => `${name(el)} ${Math.round(box(el).width)}×${Math.round(box(el).height)}`);

  const cut = all("button, .btn, .tabs a, summary, .rail a, .top a:not(.user), .tenant")
    .filter((el) => !el.closest(".vh, .skip") && getComputedStyle(el).display !== "inline")
    .filter((el) => el.scrollWidth > el.clientWidth + 1 && !/auto|scroll/.test(getComputedStyle(el).overflowX))
    .map(name);

  // The items of the bar on top: no two may lie on each other, unless one holds the other.
  const bar = all(".top a, .top button, .top .tenant, .top .user, .top summary, .top input")
    .filter((el) => !el.closest(".menu-panel, .vh"));
  const overlaps = [];
  bar.forEach((one, i) => bar.slice(i + 1).forEach((other) => {
    if (one.contains(other) || other.contains(one)) return;
    if (!apart(box(one), box(other)) && !covers(box(one), box(other))) overlaps.push(`${name(one)} / ${name(other)}`);
  }));

  return {
    wider: document.documentElement.scrollWidth - window.innerWidth,
    small,
    cut,
    overlaps,
  };
}
