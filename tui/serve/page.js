
"use strict";
const $ = id => document.getElementById(id);
// Text is only ever text: nothing that a fight holds is read as markup.
const make = (tag, kind, ...parts) => {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.append(...parts.filter(part => part !== "" && part != null));
  return made;
};
const fill = (id, ...parts) => { $(id).textContent = ""; $(id).append(...parts); };
const LEVEL = { unhurt: 1, hurt: .66, bloodied: .33, out: 0, down: 0 };
const STATE = { may: "may act", barred: "sits out", done: "acted", out: "out" };

const word = c => {
  if (c.health) return c.health;
  if (c.hp == null) return c.out ? "down" : "";
  if (c.hp === 0 || c.out) return "down";
  if (c.max_hp == null || c.hp >= c.max_hp) return "unhurt";
  return 2 * c.hp > c.max_hp ? "hurt" : "bloodied";
};
const points = c => `${c.hp}${c.max_hp == null ? "" : "/" + c.max_hp}${c.temp_hp ? " +" + c.temp_hp : ""}`;
const health = people => {
  const known = people.filter(c => c.health || c.hp != null);
  if (!known.length) return "";
  const words = known.map(word), worst = ["down", "out", "bloodied", "hurt"].find(x => words.includes(x)) || "unhurt";
  const count = words.filter(x => x === worst).length;
  const text = known.length === 1 && known[0].hp != null ? points(known[0])
    : count === words.length ? worst : `${count} ${worst}`;
  const bars = make("span", known.length > 1 ? "bars many" : "bars", ...known.slice(0, 30).map(c => {
    const level = make("i"), share = c.hp != null && c.max_hp ? Math.min(1, Math.max(0, c.hp) / c.max_hp) : LEVEL[word(c)];
    level.style[known.length > 1 ? "height" : "width"] = `${share * 100}%`;
    return make("span", "bar " + word(c), level);
  }));
  return make("span", "health " + worst, bars, make("span", "word", text));
};
const condition = x => x.name + (x.rounds ? ` ${x.rounds}` : "") + (x.dc ? ` DC ${x.dc}` : "");
const tally = texts => [...new Set(texts)].map(t => [t, texts.filter(x => x === t).length]);

// A condition or mark whose meaning is known can be tapped.
const tappable = (d, name, kind, text) => {
  if (!(name in d.terms)) return make("span", kind, text);
  const made = make("button", kind, text);
  made.type = "button";
  made.onclick = () => { $("term").textContent = `${name}\n${d.terms[name]}`; $("term").className = ""; };
  return made;
};

const words = (d, line) => {
  const marks = d.words.marks, found = [];
  const some = (texts, kind, terms = {}) => tally(texts).forEach(([text, n]) => found.push(
    tappable(d, terms[text] || text, kind, n > 1 ? `${text} ×${n}` : text)));
  const live = line.people;
  const keys = live.flatMap(c => Object.keys(c.marks).filter(key => marks[key] && marks[key].short));
  some(keys.filter(key => marks[key].alarming).map(key => marks[key].short), "tag alarm");
  const names = Object.fromEntries(live.flatMap(c => c.conditions.map(x => [condition(x), x.name])));
  some(live.flatMap(c => c.conditions.map(condition)), "tag", names);
  some(keys.filter(key => !marks[key].alarming).map(key => marks[key].short), "tag");
  some(live.filter(c => c.hidden).map(() => "hidden"), "quiet");
  some(live.filter(c => c.dead).map(() => "dead"), "quiet");
  if (line.state !== "out") some(live.filter(c => c.out && !c.dead).map(() => "out"), "quiet");
  const held = d.state.orders.find(o => o.who === line.entry && o.state === "done" && o.text.ready);
  if (held && live.some(c => "ready" in c.marks)) found.push(make("span", "quiet", held.text.ready));
  const late = live.find(c => c.arrives > d.state.round);
  if (late) found.push(make("span", "quiet", `round ${late.arrives}`));
  else if (STATE[line.state] && !(line.state === "out" && live.every(c => c.dead))) found.push(make("span", "quiet", STATE[line.state]));
  return make("span", "words", ...found);
};

// The page says which lines there are; outside a fight it is everybody.
const lines = d => {
  const known = new Map(d.state.combatants.map(c => [c.name, c])), order = new Map(d.state.track.map(row => [row.entry, row]));
  if (!d.rows.length) return d.state.combatants.map(c => ({ entry: c.name, people: [c], state: c.out ? "out" : "waits" }));
  return d.rows.map(x => ({ ...x, value: x.place && order.has(x.entry) ? order.get(x.entry).value : 0,
    people: x.members.map(name => known.get(name)).filter(Boolean) }));
};

const isMine = (d, c) => d.viewer !== "" && (c.owners || [c.owner]).some(x => x.toLowerCase() === d.viewer.toLowerCase());

const track = d => {
  const s = d.state, all = lines(d), ranked = all.some(line => line.value), sides = d.sides;
  $("track").style.setProperty("--rows", Math.max(all.length, 6));
  fill("track", ...all.map(line => {
    const one = line.people[0], at = one ? sides.indexOf(one.side) : -1;
    const pack = line.people.length > 1 && line.people.every(c => c.group === line.entry);
    const name = pack ? `${line.entry} ×${line.people.length}` : line.entry;
    const left = line.people.filter(c => !c.out && !("acted" in c.marks) && !d.state.actors.includes(c.name)).length;
    const row = make("li", [line.state, line.inner ? "inner" : "", line.outer ? "outer" : "",
      at < 0 ? "" : `s${at % 4 + 1}`, line.people.some(c => isMine(d, c)) && !line.outer ? "mine" : ""].join(" "),
      make("span", "value", ranked && line.value ? `${line.value}` : ""),
      make("span", "body", make("span", "name", name), line.outer ? "" : words(d, line)),
      line.outer ? make("span", "quiet", `${left} of ${line.people.length} to act`) : health(line.people) || make("span"));
    if (line.state === "now") row.setAttribute("aria-current", "true");
    return row;
  }));
  const now = $("track").querySelector("li.inner.now, li.now");
  // A quarter of the room is kept above who acts, as on a player's terminal.
  if (now) $("right").scrollTop = now.offsetTop - $("right").offsetTop - $("right").clientHeight / 4;
};

const stage = d => {
  const s = d.state, now = d.now, acts = now.kind === "acts" && now.who, order = s.orders.find(o => s.acting && o.who === s.acting);
  const lead = now.lead || "", who = acts ? now.who : lead;
  $("stage").className = (acts ? "acts" : "") + (now.mine && !isOver(d) ? " mine" : "");
  const rest = acts && lead.startsWith(`${who} `) ? lead.slice(who.length + 1) : acts ? lead : "";
  // Written only where it is new: a screen reader reads what changes here.
  const say = (id, text) => { if ($(id).textContent !== text) $(id).textContent = text; };
  say("label", isOver(d) ? "that was your turn: the game master goes on" : rest.slice(rest.indexOf(": ") + 1).trim());
  say("who", who);
  $("who").className = !acts || who.length > 18 ? "long" : "";
  const first = s.due.length ? s.due[0].kind : "";
  const saves = s.due.filter(x => x.save && s.combatants.some(c => c.name === x.who && isMine(d, c)));
  const told = [...saves.map(x => x.why), ...s.due.filter(x => x.kind === first).flatMap(x => x.lines || []),
    ...(order ? order.wording : []),
    ...(now.remarks || [])];
  if ($("told").textContent !== told.join("")) fill("told", ...told.map(text => make("li", "", text)));
  const coming = (now.coming || []).slice(0, 5);
  fill("next", ...coming.length ? [make("span", "", "next"), ...coming.map((name, i) => make(i ? "span" : "b", "", name))]
    : now.then ? [make("span", "", now.then)] : []);
  const acting = side => s.combatants.filter(c => c.side === side && s.actors.includes(c.name)).length;
  fill("sides", ...(d.rows.some(x => x.state === "may") && !d.rows.some(x => x.outer) ? s.sides.filter(x => x.of) : []).map(x =>
    make("span", x.turn ? "turn" : "", `${x.name}: ${x.left - acting(x.name)} of ${x.of} to act`)));
};

const attack = a => a.text ? `${a.name}: ${a.text}` : [a.name, a.dc ? `DC ${a.dc} ${a.key || ""}` : a.bonus == null ? "" : `${a.bonus < 0 ? "" : "+"}${a.bonus}`,
  (a.damage || []).map(x => `${x.dice} ${x.type}`.trim()).join(" + ")].filter(Boolean).join(" ");
const sheet = (d, c) => Object.entries(d.words.fields || {}).map(([key, title]) => [title, (c.fields || {})[key]])
  .filter(([, v]) => v != null && `${v}` !== "").map(([title, v]) => [title, v === true ? "yes" : v === false ? "no" : v]);
const status = (d, c) => [c.dead ? "dead" : c.out ? "out" : c.saves && c.saves.successes != null ? c.saves.stable ? "stable" : "dying" : "",
  ...Object.keys(c.marks).map(key => d.words.marks[key] && d.words.marks[key].short)].filter(Boolean).join(", ");
const own = d => {
  const s = d.state, pair = (key, value) => make("div", "", make("dt", "", key), make("dd", "", `${value}`));
  const card = c => make("article", "card",
    make("h2", "", c.name, make("span", "state", status(d, c)), health([c])),
    make("dl", "", ...c.ac == null ? [] : [pair("AC", c.ac)],
      ...sheet(d, c).map(([title, value]) => pair(title, value)),
      ...(c.counters || []).map(x => pair(x.name, x.max == null ? x.n : `${x.n}/${x.max}`)),
      ...c.conditions.map(x => make("div", "", tappable(d, x.name, "tag", condition(x)), make("dd", "", x.of ? `of ${x.of}` : ""))),
      ...c.saves && c.saves.successes != null ? [pair("death saves", `${c.saves.successes} made, ${c.saves.failures} failed`)] : []),
    ...(c.attacks || []).map(a => make("p", "", attack(a))),
    c.owners.length > 1 ? make("p", "", `Played by ${c.owners.join(" and ")}`) : "",
    c.note ? make("p", "", make("em", "", c.note)) : "",
    ownPoints(d, c));
  const mine = new Set(s.combatants.filter(c => isMine(d, c)).flatMap(c => [c.name, c.group]).filter(Boolean));
  const told = c => JSON.stringify([c, d.words, d.offers.points, c.conditions.map(x => d.terms[x.name])]);
  const cards = s.combatants.filter(c => isMine(d, c)).map(c => [told(c), () => card(c)]);
  const orders = s.orders.filter(o => mine.has(o.who) && o.who !== s.acting).map(o => make("article", "card",
    make("h2", "", `Order of ${o.who}`, make("span", "state", o.state)),
    ...o.wording.map(text => make("p", "", text)),
    ...Object.entries(o.default).filter(([key]) => !o.text[key]).map(([key, text]) => make("p", "", make("em", "", `${key} by default: `), text)),
    ...o.warnings.map(text => make("p", "", make("em", "", text)))));
  const read = () => [JSON.stringify(orders.map(x => x.textContent)), () => make("div", "", ...orders)];
  // What is listed may be read: the page holds no other orders. With a game master those that are over need no room.
  const others = s.orders.filter(o => !mine.has(o.who) && o.who !== s.acting && (d.gmless || ["written", "locked"].includes(o.state)));
  if (others.length) orders.push(make("article", "card", make("h2", "", d.viewer ? "Orders of others" : "Orders"),
    ...others.map(o => make("p", "", make("em", "", `${o.who}: `), o.wording.join("; ") || o.state))));
  place("own", [...cards, read()]);
};


const journal = d => {
  if (!d.log.length) return fill("log");
  const open = $("log").querySelector("details[open]"), list = make("ol", "", ...d.log.slice().reverse().map(x => make("li", "", x.text.join(" · "))));
  const box = make("details", "card", make("summary", "", "Log"), list);
  box.open = !!open;
  fill("log", box);
};

// --- what is kept in this browser: half-written texts, lines on their way, lines that were taken

const HERE = location.pathname;
const kept = (name, usual) => { try { return JSON.parse(localStorage.getItem(`${HERE} ${name}`)) ?? usual; } catch { return usual; } };
const keep = (name, value) => { try { localStorage.setItem(`${HERE} ${name}`, JSON.stringify(value)); } catch { /* full: it lives as long as the page */ } };
const drafts = kept("drafts", {}), unsent = kept("unsent", {}), notes = {}, unfolded = new Set(), renewed = {}, chosen = {};
let offered = new Set(), waiting = kept("waiting", []), taken = kept("taken", []), page = null, connected = false;
const draft = (slot, value) => { if (value) drafts[slot] = value; else delete drafts[slot]; keep("drafts", drafts); };
// A text that the page itself puts into a field: the field is made anew.
const put = (slot, text) => { draft(slot, text); renewed[slot] = (renewed[slot] || 0) + 1; };
const setAside = (slot, text) => { if (text) unsent[slot] = text; else delete unsent[slot]; keep("unsent", unsent); };
const same = (one, other) => JSON.stringify(Object.entries(one || {}).sort()) === JSON.stringify(Object.entries(other || {}).sort());

// --- sending: each line has an id, and is sent until it is answered

const makeId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), x => "abcdefghijklmnopqrstuvwxyz234567"[x % 32]).join("");
const quote = text => `"${text.replace(/[\\"]/g, "\\$&")}"`;
const post = async body => {
  const end = new AbortController(), timer = setTimeout(() => end.abort(), 9000);
  try {
    const answer = await fetch(HERE + "/line", { method: "POST", signal: end.signal, body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", "X-Tocsin": "1" } });
    return answer.ok ? await answer.json() : { became: answer.status === 404 ? "refused" : "again", why: "this address takes no lines now", hint: "ask the game master" };
  } catch { return null; } finally { clearTimeout(timer); }
};
const send = (line, slot, more = {}) => {
  if (waiting.some(x => x.slot === slot)) return;
  const entry = { id: makeId(), moment: page.moment, line, slot, ...more };
  waiting.push(entry);
  keep("waiting", waiting);
  unfolded.delete(slot);
  tell(slot, "sending…");
  push(entry);
};
const push = async entry => {
  if (entry.busy || !waiting.includes(entry)) return;
  entry.busy = true;
  const answer = await post({ id: entry.id, moment: entry.moment, line: entry.line });
  entry.busy = false;
  if (!answer || answer.became === "again") {
    tell(entry.slot, answer ? `${answer.why}; it is sent again` : "no connection: it is sent as soon as there is one");
    setTimeout(() => push(entry), answer ? 2000 : 3000);
    return;
  }
  waiting = waiting.filter(x => x !== entry);
  keep("waiting", waiting);
  if (answer.became === "taken") {
    taken = [...taken.slice(-199), { id: entry.id, line: entry.line, slot: entry.slot, text: entry.text, fight: fightOf(page) }];
    keep("taken", taken);
    if (entry.text) draft(entry.slot);
    if (ENDS.includes(entry.slot)) {
      ended = turnOf(page);
      // A switch is told in the log of the page that comes next.
      ending = entry.slot === "switch" && page.moment === entry.moment;
      stage(page);
    }
    tell(entry.slot, "taken", "reads", 3000);
  } else tell(entry.slot, answer.why + (answer.hint ? `; ${answer.hint.replace(/`/g, "")}` : ""), "error");
  if (page) act(page);
};
// A sentence in the task that a line came from; it goes with the next one.
const tell = (slot, text, kind = "", soon = 0) => {
  notes[slot] = { text, kind };
  if (soon) setTimeout(() => { if (notes[slot] && notes[slot].text === text) { delete notes[slot]; sayNote(slot); } }, soon);
  sayNote(slot);
};
const sayNote = slot => document.querySelectorAll("[data-slot]").forEach(task => {
  if (task.dataset.slot !== slot) return;
  const said = task.querySelector(".said"), note = notes[slot];
  said.textContent = note ? note.text : "";
  said.className = "said " + (note ? note.kind : "");
  task.querySelectorAll("button").forEach(b => { b.disabled = waiting.some(x => x.slot === slot); });
});
// What ends the own turn: until something new is seen, the page stands where that turn was.
const ENDS = ["end", "pass", "switch"];
let ended = "", ending = false;
const turnOf = d => JSON.stringify([d.state.acting, d.offers.lines?.end, d.offers.lines?.pass, d.log.at(-1), d.log.length]);
const isOver = d => ended !== "" && ended === turnOf(d) && !taken.findLast(x => ENDS.includes(x.slot))?.gone;
const fightOf = d => d && d.state.mine ? d.state.mine.fight : 0;

// What the game master took back comes back, with a sentence, until the game master restores it.
const isBack = slot => !!taken.findLast(x => x.slot === slot && x.fight === fightOf(page))?.gone;
const returns = d => {
  const mine = d.state.mine, since = mine && mine.since ? taken.findIndex(x => x.id === mine.since) : 0;
  if (!mine || !mine.lines || since < 0) return [];
  const there = new Set(mine.lines.map(x => x.id));
  const moved = taken.filter((x, i) => i >= since && x.fight === mine.fight && !x.gone !== there.has(x.id));
  if (!moved.length) return [];
  moved.forEach(x => { x.gone = !x.gone; });
  keep("taken", taken);
  moved.filter(x => !x.gone && x.text && same(drafts[x.slot], x.text)).forEach(x => put(x.slot));
  const back = new Map(moved.filter(x => x.gone && x.text).map(x => [x.slot, x.text]));
  // What is being typed is newer: it keeps its field.
  back.forEach((text, slot) => { if (!drafts[slot]) put(slot, text); else if (isOrder(slot) && !same(drafts[slot], text)) setAside(slot, text); });
  // An end that came when the turn was over leaves with its moment: nobody took it back.
  const isLate = x => ENDS.includes(x.slot) && !(d.offers.lines || {})[x.slot];
  const words = some => some.map(x => x.line.split(" ").slice(0, 2).join(" ").replace(/"/g, "")).join(", ");
  const gone = moved.filter(x => x.gone && !isLate(x)), again = moved.filter(x => !x.gone), offered = slotsOf(d.offers);
  return [gone.length && `The GM took back: ${words(gone)}.`, [...back.keys()].some(x => offered.has(x)) && "Your text is in its field again.",
    again.length && `The GM restored: ${words(again)}.`].filter(Boolean);
};
// What was half written for a moment that is over is kept to be copied, and returns with its moment.
const isOrder = slot => slot.startsWith("order ");
const slotsOf = o => new Set([...(o.forms || []).map(slotOf), ...(o.rolls || []).map(rollSlot), ...(o.points || []).map(x => `points ${x.who}`)]);
const expire = o => {
  const now = slotsOf(o), over = Object.keys(drafts).filter(slot => !now.has(slot) && !waiting.some(x => x.slot === slot));
  Object.keys(unsent).filter(slot => now.has(slot) && !offered.has(slot) && !drafts[slot]).forEach(slot => { put(slot, unsent[slot]); setAside(slot); });
  offered = now;
  over.filter(isOrder).forEach(slot => setAside(slot, drafts[slot]));
  over.forEach(slot => draft(slot));
  return over.filter(isOrder).map(slot => `Your text for the ${slot.replace(/^order (.*) (\d+)$/, "order of $1 (round $2)")} was not sent, and it is too late for it now. It is kept below.`);
};

// --- what waits for the player, and what else may be sent

const button = (text, kind, does, small) => {
  const made = make("button", kind, text, small ? make("small", "", small) : "");
  made.type = "button";
  made.onclick = does;
  return made;
};
const task = (slot, title, ...parts) => {
  const made = make("article", "task", make("h2", "", title), ...parts, make("p", "said"));
  made.dataset.slot = slot;
  return made;
};

const OLD = "as last round";
const fieldOf = (f, help, value, isLast, changed) => {
  if (f.kind === "bool") {
    const box = make("input");
    box.type = "checkbox";
    box.name = f.key;
    box.checked = value === true || value === "yes";
    box.onchange = changed;
    return make("label", "tick", box, make("span", "", f.title, make("small", isLast ? "last" : "", isLast ? OLD : help)));
  }
  const made = make(f.kind === "choice" ? "select" : f.kind === "text" ? "textarea" : "input", isLast ? "last" : "");
  made.name = f.key;
  if (f.kind === "choice") made.append(...["", ...f.choices].map(x => { const o = make("option", "", x); o.value = x; return o; }));
  else made.placeholder = help || "";
  if (f.kind === "text") made.rows = 1;
  made.autocomplete = "off";
  made.value = value;
  const high = () => `${made.scrollHeight + 2}px`, grow = () => { if (f.kind === "text") { made.style.height = ""; if (made.value) made.style.height = high(); } };
  const label = make("label", "", make("span", "", f.title, isLast ? make("small", "last", OLD) : ""), made);
  made.oninput = () => {
    if (made.classList.contains("last")) { made.classList.remove("last"); label.querySelector("small").remove(); }
    grow();
    changed();
  };
  // The first tap selects last round's part, so that typing replaces it.
  if (isLast && f.kind !== "choice") made.onclick = () => { if (made.classList.contains("last") && !made.touched) { made.touched = true; made.select(); } };
  made.onblur = () => { made.touched = false; };
  requestAnimationFrame(() => {
    if (f.kind === "text" && !made.value && made.placeholder) {
      // As high as its hint, so that nothing moves when it is tapped.
      made.className = "hinted";
      made.value = made.placeholder;
      made.style.minHeight = high();
      made.value = made.className = "";
    }
    grow();
  });
  return label;
};
const slotOf = form => `order ${form.who} ${form.round}`;
const orderForm = form => {
  const slot = slotOf(form), written = form.text || {}, saved = drafts[slot];
  const usual = f => typeof f.default === "string" ? f.default : f.default === true ? "yes" : "";
  const old = form.due ? Object.fromEntries(form.fields.map(f => [f.key, usual(f)]).filter(x => x[1])) : written;
  const start = saved || old, isOld = form.due && form.fields.some(usual) && same(start, old);
  const isLast = f => form.due && usual(f) && start[f.key] === usual(f);
  const reading = make("div", "reading"), box = make("div");
  let read = null, timer;
  const texts = () => Object.fromEntries(form.fields.map(f => {
    const at = box.querySelector(`[name="${f.key}"]`);
    return [f.key, f.kind === "bool" ? at.checked ? "yes" : "" : at.value.replace(/\s+/g, " ").trim()];
  }).filter(([, text]) => text));
  const lineOf = some => ["order", quote(form.who), ...Object.entries(some).map(([key, text]) => `${key}=${quote(text)}`)].join(" ");
  const look = async () => {
    const line = lineOf(texts());
    if (read && read.line === line) return read;
    const answer = await post({ id: makeId(), moment: page.moment, line, read: true });
    const words = answer && answer.words || {};
    read = { line, errors: words.errors || [], warnings: words.warnings || [], notes: words.notes || [] };
    if (lineOf(texts()) === line) {
      const rows = (some, kind) => some.map(text => make("p", kind, text));
      reading.replaceChildren(...rows(read.errors, "error"), ...rows(read.warnings, "doubt"), ...rows(read.notes, "reads"));
    }
    return read;
  };
  const changed = () => {
    const now = texts();
    draft(slot, same(now, old) ? null : now);
    asked = "";
    delete notes[slot];
    sayNote(slot);
    if (again) again.remove();
    label();
    clearTimeout(timer);
    timer = setTimeout(look, 800);
  };
  let asked = "", asking = 0;
  const sends = async () => {
    const some = texts(), line = lineOf(some), known = await look();
    if (known.errors.length) return tell(slot, `Not sent: change ${known.errors.map(x => x.split(":")[0]).join(", ")}.`, "error");
    // A doubt is asked about once: the second tap sends.
    if (known.warnings.length && asked !== line) { asked = line; asking = Date.now(); label(); return; }
    // A double tap is one tap: nobody has read the doubt.
    if (asked === line && Date.now() - asking < 700) return;
    draft(slot, some);
    send(line, slot, { text: some });
  };
  const go = button("", "go", sends), label = () => { go.textContent = asked ? "Send it all the same" : form.due ? "Send the order" : "Send it again"; };
  label();
  box.append(...form.fields.map(f => fieldOf(f, (form.helps || {})[f.key], start[f.key] || "", isLast(f), changed)));
  const again = isOld && button("As last round", "", () => send(lineOf(texts()), slot, { text: texts() }));
  const acts = make("div", "taps", go, again || "");
  const whole = make("form", "", box, reading, acts);
  whole.onsubmit = event => { event.preventDefault(); sends(); };
  const made = task(slot, form.due ? `Order for ${form.who}` : `Order of ${form.who}: written`, 
    isBack(slot) && saved ? make("p", "doubt", `The GM took this order back${Object.keys(written).length ? "; the one before it counts" : ""}. Send it again, or change it.`) : "",
    form.fields.some(isLast) ? make("p", "", "Dashed parts are those of the last round: they are sent as they are. Type to replace one.") : "", whole);
  if (saved) setTimeout(look, 300);
  return made;
};

// A text that found no order to stand in, to be copied or written into the next one.
const unsentTask = (slot, form) => {
  const text = unsent[slot], at = form && slotOf(form);
  const write = () => { if (drafts[at]) setAside(at, drafts[at]); put(at, text); if (at !== slot) setAside(slot); unfolded.add(at); act(page); };
  return task(`unsent ${slot}`, `Not sent: ${slot.replace(/ (\d+)$/, ", round $1")}`, ...Object.entries(text).map(([key, part]) => make("p", "ink", make("em", "", `${key}: `), part)),
    make("div", "taps", form ? button("Write this", "", write) : "", button("Forget it", "", () => { setAside(slot); act(page); })));
};
const rollSlot = roll => `roll ${roll.who} ${roll.context || ""}`;
const rollTask = roll => {
  const slot = rollSlot(roll), who = quote(roll.who), dice = roll.dice.map(x => `d${x}`).join(" + ");
  const typed = make("input");
  typed.inputMode = "numeric";
  typed.placeholder = roll.dice.length > 1 ? "dice: 5 3" : "die or total";
  typed.name = "face";
  typed.value = drafts[slot] || "";
  typed.oninput = () => draft(slot, typed.value.trim());
  const number = verb => () => { const text = typed.value.trim(); if (text) send(`${verb} ${who} ${text}`, slot, { text }); else typed.focus(); };
  const acts = roll.dealt ? [button(`Deal ${roll.dealt}`, "go", () => send(`roll ${who}`, slot))]
    : [button(`Roll ${dice}`, "go", () => send(`roll ${who}`, slot)), typed, button("It shows this", "", number("roll")), button("My total", "", number("total"))];
  if (roll.ticks) acts.push(button("Made", "", () => send(`made ${who}`, slot)), button("Failed", "", () => send(`failed ${who}`, slot)));
  return task(slot, `${roll.who}: ${roll.dealt || dice}`, make("p", "", roll.why),
    isBack(slot) ? make("p", "doubt", "The GM took this roll back.") : "", make("div", "taps", ...acts));
};

const pickTask = pick => {
  const chosen = new Set(), slot = `pick ${pick.context}`, line = names => send(`pick ${names.length ? names.map(quote).join(" ") : "none"}`, slot);
  const one = pick.most === 1 && pick.least === 1;
  const names = pick.names.map(name => {
    const made = button(name, "", () => {
      if (one) return line([name]);
      if (!chosen.delete(name) && chosen.size < pick.most) chosen.add(name);
      made.className = chosen.has(name) ? "on" : "";
    });
    return made;
  });
  const rest = one ? [] : [button("Choose these", "go", () => { if (chosen.size >= pick.least) line([...chosen]); })];
  return task(slot, pick.why || "Choose", make("div", "taps", ...names, ...rest));
};

const TITLES = { turn: "Who goes next?", pass: "Or", end: "Your turn", react: "Reaction", fire: "Readied action", switch: "Switch to", done: "The side" };
const picked = (name, values, titleOf, keyOf, done) => {
  const made = make("select", "", ...values.map((x, n) => { const o = make("option", "", titleOf(x)); o.value = n; return o; }));
  made.name = name;
  made.value = Math.max(0, values.findIndex(x => keyOf(x) === chosen[name]));
  made.onchange = () => { chosen[name] = keyOf(values[made.value]); if (done) done(made.value); };
  return made;
};
const linesTask = (verb, lines) => {
  const word = x => verb === "end" ? `End the turn of ${x.title}` : verb === "pass" ? "Pass" : verb === "done" ? `All of ${x.title} have acted` : x.title;
  const small = x => x.note || x.meaning || "";
  // Lines that differ only in a number share a row.
  const rowsOf = some => {
    const groups = new Map();
    some.forEach(x => { const key = x.kin || x.line; groups.set(key, [...groups.get(key) || [], x]); });
    return [...groups.values()].map(row);
  };
  const row = some => {
    if (some.length === 1) return button(word(some[0]), verb === "turn" || verb === "end" ? "go" : "", () => send(some[0].line, verb), small(some[0]));
    const name = `${some[0].kin} ${some[0].instead || ""}`;
    const which = picked(name, some, x => `${x.title}${x.note ? `: ${x.note}` : ""}`, x => x.title);
    return make("div", "taps whole", make("p", "", some[0].kin), which, button(TITLES[verb] || verb, "", () => send(some[which.value].line, verb)));
  };
  // What is given up is chosen first, so that the list is as long as the actions are.
  const prices = [...new Set(lines.map(x => x.instead || ""))], rows = make("div", "taps");
  const show = price => rows.replaceChildren(...rowsOf(lines.filter(x => (x.instead || "") === price)));
  const price = picked(`price ${verb}`, prices, x => x, x => x, at => show(prices[at]));
  show(prices[price.value]);
  return task(verb, TITLES[verb] || verb, ...prices.length > 1 ? [make("label", "taps whole", make("p", "", "Give up"), price)] : [], rows);
};

const ownPoints = (d, c) => {
  const may = (d.offers.points || []).find(x => x.who === c.name);
  if (!may) return "";
  const slot = `points ${c.name}`, who = quote(c.name), amount = make("input");
  amount.inputMode = "numeric";
  amount.placeholder = amount.name = "points";
  amount.value = drafts[slot] || "";
  amount.oninput = () => draft(slot, amount.value.trim());
  const say = verb => button(verb[0].toUpperCase() + verb.slice(1), "", () => { if (/^[0-9]+$/.test(amount.value)) { send(`${verb} ${who} ${amount.value}`, slot); draft(slot); amount.value = ""; } else amount.focus(); });
  const rows = may.counters.map(name => make("div", "taps", button(`${name} \u2212`, "", () => send(`count ${who} ${quote(name)} -1`, slot)), button(`${name} +`, "", () => send(`count ${who} ${quote(name)} +1`, slot))));
  const box = make("div", "", make("div", "taps", amount, say("damage"), say("heal"), say("temp")), ...rows, make("p", "said"));
  box.dataset.slot = slot;
  return box;
};

// A task stays as it is while its offer does: what is being typed keeps its place.
const place = (id, wanted) => {
  const old = new Map([...$(id).children].map(x => [x.dataset.key, x])), at = document.activeElement;
  const inside = at && at.name && $(id).contains(at) ? { slot: at.closest("[data-slot]")?.dataset.slot, name: at.name, start: at.selectionStart } : null;
  const now = wanted.map(([key, build]) => { const made = old.get(key) || build(); made.dataset.key = key; return made; });
  if (now.length !== $(id).children.length || now.some((x, i) => x !== $(id).children[i])) $(id).replaceChildren(...now);
  if (inside && document.activeElement !== at) {
    const again = [...$(id).querySelectorAll(`[name="${inside.name}"]`)].find(x => x.closest("[data-slot]")?.dataset.slot === inside.slot);
    if (again) { again.focus(); if (again.setSelectionRange && again.type !== "checkbox") again.setSelectionRange(inside.start, inside.start); }
  }
};
const act = d => {
  const o = d.offers, forms = o.forms || [], at = x => JSON.stringify(x), over = isOver(d);
  const lines = Object.fromEntries(Object.entries(o.lines || {}).filter(([v]) => !over || !ENDS.includes(v)));
  const returned = slot => (notes[slot] && notes[slot].kind === "error") || drafts[slot] || unfolded.has(slot);
  const keyed = (kind, x, build, slot = "") => [`${kind} ${at(x)} ${renewed[slot] || 0}`, () => build(x)];
  const first = [
    ...forms.filter(x => x.due).map(x => keyed("form", x, orderForm, slotOf(x))),
    ...(o.rolls || []).map(x => keyed("roll", x, rollTask, rollSlot(x))),
    ...(o.picks || []).slice(0, 1).map(x => keyed("pick", x, pickTask)),
    ...["turn", "pass", "end", "done"].filter(v => lines[v]).map(v => keyed(v, lines[v], x => linesTask(v, x))),
  ];
  const folded = (title, build) => x => {
    const made = make("details", "task calm", make("summary", "", title), build(x)), slot = made.lastChild.dataset.slot;
    made.open = !!returned(slot);
    made.ontoggle = () => { if (made.open) unfolded.add(slot); else unfolded.delete(slot); };
    made.lastChild.className = "";
    return made;
  };
  const rest = [
    ...Object.keys(lines).filter(v => !["turn", "pass", "end", "done"].includes(v)).map(v => keyed(v, lines[v], folded(TITLES[v] || v, x => linesTask(v, x)))),
    ...forms.filter(x => !x.due).map(x => keyed("form", x, folded(`Order of ${x.who}: written. Change it`, orderForm), slotOf(x))),
  ];
  const form = slot => forms.find(x => slot.replace(/ \d+$/, "") === `order ${x.who}`);
  rest.unshift(...Object.keys(unsent).map(x => [`unsent ${x} ${at([unsent[x], form(x)])}`, () => unsentTask(x, form(x))]));
  place("do", first);
  place("more", rest);
  Object.keys(notes).concat(waiting.map(x => x.slot)).forEach(sayNote);
  return first.length;
};

// --- the connection: how old the picture is, the bell, and the way back after a sleep

const AWAY = {
  over: "The game master's program has ended. This is how the fight stood last.",
  old: "This may be old: nothing has come for some seconds.",
  lost: "This is old: there is no connection. Trying again.",
  closed: "This address is not open now. Ask the game master for a new one.",
};
let heard = Date.now(), state = "", source, timer, slept = 0, ringing = kept("bell", false), sound, waited = false;
const note = (text, kind) => {
  clearTimeout(timer);
  $("note").textContent = text;
  $("note").className = text ? kind : "hide";
  document.body.className = text ? "noted" : "";
};
const flash = text => { note(text, "good"); timer = setTimeout(() => note(AWAY[state] || "", state === "old" ? "old" : ""), 9000); };
const stand = now => {
  if (now === state) return;
  const was = state;
  state = now;
  if (now) note(AWAY[now], now === "old" ? "old" : "");
  else if (was && was !== "old") flash("The table is connected again.");
  else note("", "");
};
const ring = () => {
  if (!ringing) return;
  if (navigator.vibrate) navigator.vibrate([200, 100, 200]);
  if (!sound) return;
  const tone = sound.createOscillator(), loud = sound.createGain();
  loud.gain.setValueAtTime(.2, sound.currentTime);
  loud.gain.exponentialRampToValueAtTime(.001, sound.currentTime + .7);
  tone.frequency.value = 880;
  tone.connect(loud).connect(sound.destination);
  tone.start();
  tone.stop(sound.currentTime + .7);
};
const bell = () => {
  $("bell").className = page && page.viewer ? "" : "hide";
  $("bell").textContent = ringing ? "Bell on" : "Bell off";
  $("bell").setAttribute("aria-pressed", `${ringing}`);
};
$("bell").onclick = () => { ringing = !ringing; keep("bell", ringing); bell(); awake(); ring(); };
// A browser lets a page sound only after it was touched.
const awake = () => { if (ringing && !sound && window.AudioContext) sound = new AudioContext(); if (sound) sound.resume(); };
document.addEventListener("pointerdown", awake);
document.addEventListener("click", event => { if (!event.target.closest("button.tag")) $("term").className = "hide"; });

const show = d => {
  if (ending) { ended = turnOf(d); ending = false; }
  page = d;
  stand("");
  $("round").textContent = d.state.round ? `Round ${d.state.round}` : "No fight";
  $("fight").textContent = d.viewer ? `${d.state.save} · ${d.viewer}` : d.state.save;
  $("system").textContent = d.words.title;
  const news = [...returns(d), ...expire(d.offers)];
  const count = act(d), waits = count > 0;
  document.title = (waits ? "● " : "") + d.state.save;
  stage(d); own(d); track(d); journal(d); bell();
  Object.keys(notes).forEach(sayNote);
  if (waits && !waited) ring();
  if (waits && slept > 10000) { news.push(`You were away for ${Math.round(slept / 1000)} s: something waits for you.`); scrollTo(0, 0); }
  if (news.length) flash(news.join(" "));
  slept = 0;
  waited = waits;
  waiting.forEach(push);
};
const connect = () => {
  if (source) source.close();
  source = new EventSource(HERE + "/events");
  source.onmessage = event => { hear(); show(JSON.parse(event.data)); };
  source.addEventListener("alive", () => { hear(); if (page) stand(""); });
  source.addEventListener("over", () => { heard = Date.now(); stand("over"); source.close(); });
  source.onerror = () => { if (source.readyState === EventSource.CLOSED && state !== "over") stand("closed"); };
};
const hear = () => { const gap = Date.now() - heard; if (gap > 10000) slept = gap; heard = Date.now(); };
let tried = Date.now();
const watch = () => {
  const age = Date.now() - heard;
  if (state !== "over" && state !== "closed" && age > 5000) stand(age > 10000 ? "lost" : "old");
  if (age > 6000 && Date.now() - tried > 3000 || (state === "over" || state === "closed") && Date.now() - tried > 4000) { tried = Date.now(); connect(); }
};
setInterval(watch, 1000);
// After a sleep at once: the timers of a page that sleeps do not run.
document.addEventListener("visibilitychange", () => { if (!document.hidden && Date.now() - heard > 4000) { tried = Date.now(); connect(); } });
window.addEventListener("online", connect);
waiting.forEach(entry => { entry.busy = false; tell(entry.slot, "sending…"); });
connect();
