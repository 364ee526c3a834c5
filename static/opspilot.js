// Small aids; pages work without them.
(() => {
"use strict";
const page = document, root = page.documentElement;
const one = (selector) => page.querySelector(selector);
const on = (kind, act) => addEventListener(kind, act);
const typing = (el) => el.isContentEditable || el.matches("textarea,select,input:not([type=hidden])");
// Cleared first, so that the same words are said again; `once` keeps quiet about what was said last.
const say = (text, once) => {
  const live = one("#aviso");
  if (!live || !text || (once && live.textContent === text)) return;
  live.textContent = "";
  setTimeout(() => { live.textContent = text; }, 60);
};

// Ticks: 1 s for a wait, else 5 s, 60 s after 2 idle minutes. None while the page is hidden, read
// or written in: a selection, a field, a strip or list of fields open, words not sent.
const OPEN = "form.confirm,form[data-dirty],details[open] form,dialog:modal";
let due = 0, acted = Date.now(), ended = false, leaving = false;
for (const kind of ["pointermove", "pointerdown", "keydown", "wheel"])
  addEventListener(kind, () => { acted = Date.now(); }, { passive: true });
on("input", ({ target }) => { if (target.form) target.form.dataset.dirty = ""; });
on("submit", ({ target }) => { delete target.dataset.dirty; });
const busy = () => ended || page.hidden || typing(page.activeElement) || !getSelection().isCollapsed || one(OPEN);
setInterval(() => {
  due += 1;
  const pace = one("[data-poll=fast]") ? 1 : Date.now() - acted > 120000 ? 60 : 5;
  if (due < pace || !one("[data-poll]") || busy()) return;
  due = 0;
  page.body.dispatchEvent(new CustomEvent("opspilot:tick"));
}, 1000);
on("visibilitychange", () => { due = 60; ended = false; });
const ticked = (detail) => detail.requestConfig?.triggeringEvent?.type === "opspilot:tick";
on("htmx:configRequest", ({ detail }) => {
  if (detail.triggeringEvent?.type === "opspilot:tick") detail.headers["X-OpsPilot-Tick"] = "1";
});

// Keys. A letter opens a link, focuses a button; it submits only what can but stop (data-stops).
const find = (key) => {
  const name = `[aria-keyshortcuts~="${CSS.escape(key)}"]:not([aria-disabled=true])`;
  // Over an open strip nothing else is stopped: what is typed may be meant for its field.
  return one(`form.confirm ${name}`) || one(one("form.confirm") ? `${name}:not([data-stops] *)` : name);
};
const decide = (event) => {
  const form = !leaving && (event.target.closest("form") || one("form.confirm"));
  const button = form && form.querySelector("[type=submit][aria-keyshortcuts='Control+Enter']");
  if (!button) return;
  event.preventDefault();
  form.requestSubmit(button);
};
const step = (by) => {
  const rows = [...page.querySelectorAll("[data-row]")];
  return rows[Math.max(0, rows.indexOf(page.activeElement) + by)];
};
const other = { "/": () => one("main :is(input:not([type=hidden]),select,textarea)"), "?": () => one("[data-help]") };
let wentG = -1e4;
on("keydown", (event) => {
  const { key, target, timeStamp: now } = event, held = event.ctrlKey || event.metaKey;
  if (event.repeat || event.isComposing || event.altKey) return;
  if (held && key === "Enter") return decide(event);
  if (held || one("dialog:modal")) return;
  // Out of a field first, so that what is written is not left by the same key.
  if (key === "Escape" && typing(target)) return (target.closest("form")?.querySelector("h2") || one("main")).focus();
  if (typing(target) || root.dataset.keys === "off") return;
  if (key === "Enter" && target.closest("a,button,summary")) return;
  const go = now - wentG < 1000 && one(`[data-go="${CSS.escape(key)}"]`);
  wentG = key === "g" ? now : -1e4;
  const move = { j: 1, k: -1 }[key], el = go || find(key) || (move && step(move)) || other[key]?.();
  if (!el) return;
  event.preventDefault();
  if (el.dataset.row == null && (el.href || el.closest("form[data-stops]"))) el.click();
  else el.focus();
});
// The selected row is part of the address: Back, reload and a pasted link find it again.
on("focusin", ({ target }) => {
  if (target.dataset.row == null || !target.id) return;
  one("[data-row][aria-current]")?.removeAttribute("aria-current");
  target.setAttribute("aria-current", "true");
  history.replaceState(history.state, "", `#${target.id}`);
});

// On load and after a swap: focus, never lost; said once, a tick only what is new, an alert by itself.
const arrive = (where, tick) => {
  const pick = (name) => where.matches?.(name) ? where : where.querySelector(name);
  const row = where === page && page.getElementById(location.hash.slice(1))?.closest("[data-row]");
  const focus = row || pick("[data-focus]"), words = pick("[data-announce]")?.dataset.announce;
  focus?.focus();
  if (where === page) say(words);
  else if (!pick("[role=alert]")) say(words || focus?.textContent.trim(), tick);
};
on("DOMContentLoaded", () => arrive(page));
on("htmx:afterSettle", ({ target, detail }) => {
  const box = target.closest("dialog");
  if (box && !box.open) box.showModal();
  arrive(target, ticked(detail));
  one(":focus") || one("main").focus({ preventScroll: true });
});

// Busy after 300 ms, words with the seconds and a way out after 2 s; a strip when nothing came back.
const strip = (id, text) => {
  const el = one(id);
  const place = text && el?.querySelector("[data-fill]");
  if (place) place.textContent = text;
  if (el) el.hidden = !text;
};
const waits = new WeakMap;
let waiting;
on("htmx:beforeRequest", ({ detail }) => {
  const { elt, xhr } = detail, el = elt.matches("form") ? elt.querySelector("[type=submit]") : elt.closest(".btn");
  if (ticked(detail)) return;
  let seconds = 0;
  const timer = setTimeout(() => { if (el) el.ariaBusy = "true"; }, 300);
  const clock = setInterval(() => {
    seconds += 1;
    if (seconds > 1) strip("#espera", `${seconds}`);
  }, 1000);
  waits.set(xhr, () => { clearTimeout(timer); clearInterval(clock); el?.removeAttribute("aria-busy"); strip("#espera"); });
  waiting = xhr;
});
on("click", ({ target }) => { if (target.closest("[data-cancel]")) waiting?.abort(); });
on("htmx:afterRequest", ({ detail: { xhr } }) => {
  waits.get(xhr)?.();
  if (!xhr.status) return;
  strip("#sem-conexao");
  leaving = !!xhr.getResponseHeader("HX-Redirect");
  if (xhr.status < 400) { strip("#falha"); strip("#sessao"); }
});
for (const kind of ["htmx:sendError", "htmx:timeout"])
  on(kind, () => strip("#sem-conexao", new Date().toTimeString().slice(0, 5)));
on("htmx:responseError", ({ detail: { xhr } }) => {
  ended = xhr.status === 401;
  if (ended) strip("#sessao", " ");
  else strip("#falha", xhr.getResponseHeader("X-Request-ID") || `${xhr.status}`);
});

// Copy.
if (navigator.clipboard) root.classList.add("can-copy");
on("click", async ({ target }) => {
  const button = target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  say(button.dataset.copied);
});
})();
