// One request, one row a file.
(() => {
"use strict";
const one = (at, el = document) => el.querySelector(at);
const form = one("[data-upload]");
if (!form) return;
const { arquivos: input, pasta: dir } = form.elements, here = form.dataset.upload;
const jobs = [];
let busy;
const draw = ({ row }, ...on) => row.querySelectorAll("[data-on]").forEach((el) => { el.hidden = !on.includes(el.dataset.on); });
const put = (job) => { draw(job, "wait"); jobs.push(job); next(); };
const add = (file, name = file.webkitRelativePath || file.name) => {
  if (name.includes("/.")) return;
  const row = one("tr", one("#linha").content).cloneNode(true), data = new FormData(form);
  data.delete("pasta");
  data.set("nome", name);
  data.set("tamanho", file.size);
  data.set("arquivos", file.size > 20 << 20 ? new Blob : file, "f");
  one("[data-name]", row).textContent = name;
  one("button", row).onclick = () => put({ row, data });
  one("#enviando").append(row);
  put({ row, data });
};
const next = () => {
  const job = !busy && jobs.shift();
  if (!job) return;
  busy = true;
  draw(job, "send");
  const xhr = new XMLHttpRequest;
  xhr.upload.onprogress = ({ loaded, total }) => {
    one("progress", job.row).value = one("[data-percent]", job.row).textContent = Math.floor(100 * loaded / total);
  };
  xhr.onloadend = () => { busy = false; after(xhr, job); if (xhr.status !== 204) show(); next(); };
  xhr.open("POST", form.action);
  xhr.setRequestHeader("HX-Request", "true");
  xhr.send(job.data);
};
const after = ({ status, responseText }, job) => {
  if (status === 201) { job.row.dataset.kept = ""; return draw(job, "kept"); }
  if (!status) return draw(job, "fail", "cut", "again");
  if (status === 204) return [job, ...jobs.splice(0)].forEach((it) => draw(it, "fail", "ended"));
  const why = one("p", new DOMParser().parseFromString(responseText, "text/html"));
  one("[data-on=why]", job.row).textContent = why?.textContent || status;
  draw(job, "fail", "why", "again");
};
const show = async () => {
  const kept = document.querySelectorAll("[data-kept]");
  if (jobs.length % 16 || !kept.length) return;
  history.replaceState(null, "", here.split("&")[0]);
  await htmx.ajax("GET", here, { source: "#envio" });
  kept.forEach((row) => row.remove());
};
const on = (kind, act) => form.addEventListener(kind, (e) => { e.preventDefault(); act(e); });
on("submit", () => {
  const all = [...input.files, ...dir.files];
  if (!all[0]) return form.submit();
  for (const f of all) add(f);
  input.value = dir.value = "";
});
on("dragover", () => {});
const walk = (it, at = "") => {
  if (it.isFile) return it.file((file) => add(file, at + it.name));
  const from = it.createReader(), more = () => from.readEntries((all) => {
    for (const e of all) walk(e, at + it.name + "/");
    if (all[0]) more();
  });
  more();
};
on("drop", ({ dataTransfer }) => [...dataTransfer.items].forEach((it) => {
  const e = it.webkitGetAsEntry(), f = it.getAsFile();
  e ? walk(e) : f && add(f);
}));
onbeforeunload = (e) => { if (busy) e.preventDefault(); };
one("[data-script]").hidden = false;
})();
