// Small aids; pages work without them.
(() => {
"use strict";
const page = document, root = page.documentElement;
const one = (selector) => page.querySelector(selector);
const on = (kind, act) => addEventListener(kind, act);
const typing = (el) => el.isContentEditable || el.matches("textarea,select,input:not([type=hidden])");
const say = (text) => { const live = one("#aviso"); if (live && text && live.textContent !== text) live.textContent = text; };

// Ticks: 1 s for a wait, else 5 s, 60 s after 2 idle minutes.
let due = 0, acted = Date.now();
for (const kind of ["pointermove", "pointerdown", "keydown", "wheel"])
  addEventListener(kind, () => { acted = Date.now(); }, { passive: true });
setInterval(() => {
  due += 1;
  const pace = one("[data-poll=fast]") ? 1 : Date.now() - acted > 120000 ? 60 : 5;
  if (due < pace || !one("[data-poll]") || page.hidden) return;
  if (typing(page.activeElement) || !getSelection().isCollapsed) return;
  due = 0;
  page.body.dispatchEvent(new CustomEvent("opspilot:tick"));
}, 1000);

// Keys. A letter opens a link, focuses a button; it submits only what can but stop (data-stops).
const find = (key) => one(`[aria-keyshortcuts~="${CSS.escape(key)}"]:not([aria-disabled=true])`);
const decide = (event) => {
  const button = event.target.closest("form")?.querySelector("[type=submit][aria-keyshortcuts='Control+Enter']");
  if (!button) return;
  event.preventDefault();
  button.form.requestSubmit(button);
};
const step = (by) => {
  const rows = [...page.querySelectorAll("[data-row]")];
  return rows[Math.max(0, rows.indexOf(page.activeElement) + by)];
};
let wentG = -1e4;
on("keydown", (event) => {
  const { key, target, timeStamp: now } = event, held = event.ctrlKey || event.metaKey;
  if (event.repeat || event.isComposing || event.altKey) return;
  if (held && key === "Enter") return decide(event);
  if (held || typing(target) || root.dataset.keys === "off") return;
  if (key === "Enter" && target.closest("a,button,summary")) return;
  const go = now - wentG < 1000 && one(`[data-go="${CSS.escape(key)}"]`);
  wentG = key === "g" ? now : -1e4;
  const move = { j: 1, k: -1 }[key], el = go || find(key) || (move && step(move));
  if (!el) return;
  event.preventDefault();
  if (!el.dataset.row && (el.href || el.closest("form[data-stops]"))) el.click();
  else el.focus();
});

// On load and after a swap: focus, never lost; said once.
const arrive = (where) => {
  const pick = (name) => where.matches?.(name) ? where : where.querySelector(name);
  pick("[data-focus]")?.focus();
  say(pick("[data-announce]")?.dataset.announce);
};
on("DOMContentLoaded", () => arrive(page));
on("htmx:afterSettle", ({ target }) => {
  arrive(target);
  one(":focus") || one("main").focus({ preventScroll: true });
});

// Busy after 300 ms; a strip when nothing came back.
const strip = (id, text) => {
  const el = one(id);
  if (!el || el.hidden !== !!text) return;
  if (text) el.querySelector("[data-fill]").textContent = text;
  el.hidden = !text;
};
const waits = new WeakMap;
on("htmx:beforeRequest", ({ detail: { elt, xhr } }) => {
  const el = elt.matches("form") ? elt.querySelector("[type=submit]") : elt.closest(".btn");
  if (el) waits.set(xhr, [el, setTimeout(() => { el.ariaBusy = "true"; }, 300)]);
});
on("htmx:afterRequest", ({ detail: { xhr } }) => {
  const [el, timer] = waits.get(xhr) || [];
  clearTimeout(timer);
  el?.removeAttribute("aria-busy");
  if (!xhr.status) return;
  strip("#sem-conexao");
  if (xhr.status < 400) strip("#falha");
});
for (const kind of ["htmx:sendError", "htmx:timeout"])
  on(kind, () => strip("#sem-conexao", new Date().toTimeString().slice(0, 5)));
on("htmx:responseError", ({ detail: { xhr } }) => strip("#falha", xhr.getResponseHeader("X-Request-ID") || `${xhr.status}`));

// Copy.
if (navigator.clipboard) root.classList.add("can-copy");
on("click", async ({ target }) => {
  const button = target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  one("#aviso").textContent = "";
  say(button.dataset.copied);
});
})();
