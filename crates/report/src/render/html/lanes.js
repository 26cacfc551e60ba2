"use strict";
// Swimlanes: time downwards, a lane for each agent. Only what is in view is in the document.
(() => {
  const ROW = 20, HEAD = 28, GUTTER = 330, COLUMN = 16, PAD = 8, OVERSCAN = 20;
  const make = (name, text, ...classes) => {
    const node = document.createElement(name);
    if (classes.length) node.classList.add(...classes);
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const views = new Map();

  class View {
    constructor(box) {
      const data = JSON.parse(box.querySelector("script").textContent);
      Object.assign(this, data);
      this.input = box.dataset.input;
      this.view = box.querySelector(".view");
      this.field = box.querySelector(".field");
      this.detail = box.querySelector(".detail");
      this.chosen = 0;
      this.queued = false;
      let left = GUTTER;
      for (const lane of this.lanes) {
        lane.left = left;
        lane.width = Math.max(lane.columns * COLUMN + 2 * PAD, 136);
        left += lane.width;
      }
      this.width = left;
      this.broken = new Map();
      this.related = new Set();
      this.findings.forEach((finding) => {
        if (finding.event === null) return;
        if (!this.broken.has(finding.event)) this.broken.set(finding.event, []);
        this.broken.get(finding.event).push(finding);
        if (finding.related !== null) this.related.add(finding.related);
      });
      this.stops = [...this.broken.keys()].sort((one, two) => one - two);
      this.field.style.height = `${HEAD + this.events.length * ROW}px`;
      this.field.style.width = `${this.width}px`;
      this.heads();
      this.view.addEventListener("scroll", () => this.queue());
      this.view.addEventListener("keydown", (event) => this.key(event));
      this.field.addEventListener("click", (event) => {
        if (event.target.closest("a")) return;
        const at = Math.floor((event.clientY - this.field.getBoundingClientRect().top - HEAD) / ROW);
        if (at >= 0 && at < this.events.length) this.choose(at);
      });
      new ResizeObserver(() => this.queue()).observe(this.view);
      box.querySelector("[data-next]").addEventListener("click", () => this.stop(1));
      box.querySelector("[data-previous]").addEventListener("click", () => this.stop(-1));
      box.hidden = false;
      this.choose(this.stops[0] ?? 0);
      // Not only with the next frame, which a page in the background never gets.
      this.draw();
    }

    heads() {
      const heads = make("div", undefined, "heads");
      heads.style.width = `${this.width}px`;
      const gutter = make("span", "event");
      gutter.style.left = "0px";
      heads.append(gutter);
      for (const lane of this.lanes) {
        const head = make("span", lane.label);
        head.title = lane.title;
        head.style.left = `${lane.left}px`;
        head.style.width = `${lane.width}px`;
        heads.append(head);
      }
      this.drawn = make("div");
      this.field.append(heads, this.drawn);
    }

    queue() {
      if (this.queued) return;
      this.queued = true;
      requestAnimationFrame(() => { this.queued = false; this.draw(); });
    }

    top(at) { return HEAD + at * ROW; }

    draw() {
      const first = Math.max(0, Math.floor((this.view.scrollTop - HEAD) / ROW) - OVERSCAN);
      const last = Math.min(
        this.events.length - 1,
        Math.ceil((this.view.scrollTop + this.view.clientHeight) / ROW) + OVERSCAN,
      );
      const nodes = document.createDocumentFragment();
      for (const lane of this.lanes) {
        const edge = make("div", undefined, "edge");
        edge.style.cssText = `left:${lane.left}px;top:${this.top(first)}px;height:${(last - first + 1) * ROW}px`;
        nodes.append(edge);
      }
      for (let at = first; at <= last; at++) nodes.append(this.row(at));
      for (const [lane, column, kind, from, to, name, closed] of this.bars) {
        const end = to ?? this.events.length - 1;
        if (from > last || end < first) continue;
        const [start, stop] = [Math.max(from, first), Math.min(end, last)];
        const bar = make("div", undefined, "bar", `kind-${kind}`);
        if (start === from) bar.classList.add("opens");
        if (closed && stop === to) bar.classList.add("closes");
        bar.title = `${name}: event ${from} to ${closed ? to : "the end of the run, never closed"}`;
        const left = this.lanes[lane].left + PAD + column * COLUMN;
        bar.style.cssText = `left:${left}px;top:${this.top(start) + 2}px;height:${(stop - start + 1) * ROW - 4}px`;
        nodes.append(bar);
      }
      for (let at = first; at <= last; at++) {
        const [, lane, column] = this.events[at];
        const dot = make("div", undefined, "dot");
        this.mark(dot, at);
        const left = this.lanes[lane].left + PAD + column * COLUMN + 2;
        dot.style.cssText = `left:${left}px;top:${this.top(at) + 6}px`;
        nodes.append(dot);
      }
      this.drawn.replaceChildren(nodes);
    }

    mark(node, at) {
      if (this.broken.has(at)) node.classList.add("broken");
      else if (this.related.has(at)) node.classList.add("related");
    }

    row(at) {
      const row = make("div", undefined, "row");
      row.style.cssText = `top:${this.top(at)}px;width:${this.width}px`;
      row.dataset.event = at;
      this.mark(row, at);
      if (at === this.chosen) row.classList.add("chosen");
      row.append(make("span", String(at), "at"), this.types[this.events[at][0]]);
      for (const finding of this.broken.get(at) ?? []) {
        const link = make("a", `#${finding.index}`);
        link.href = `#i${this.input}-f${finding.index}`;
        link.title = finding.title;
        row.append(link);
      }
      return row;
    }

    choose(at, scroll = true) {
      this.chosen = Math.max(0, Math.min(at, this.events.length - 1));
      if (scroll) {
        const [top, height] = [this.top(this.chosen), this.view.clientHeight];
        if (top < this.view.scrollTop + HEAD + ROW || top + 2 * ROW > this.view.scrollTop + height) {
          this.view.scrollTop = top - height / 2;
        }
      }
      this.describe();
      this.queue();
    }

    describe() {
      const event = this.events[this.chosen];
      this.detail.replaceChildren();
      if (!event) return;
      const [type, lane, , line, about] = event;
      const text = [`event ${this.chosen}`, this.types[type], line && `line ${line}`, this.lanes[lane].title, about];
      this.detail.append(make("div", text.filter(Boolean).join(" · "), "mono"));
      for (const finding of this.broken.get(this.chosen) ?? []) {
        const link = make("a", `#${finding.index} ${finding.title}`);
        link.href = `#i${this.input}-f${finding.index}`;
        const line = make("div");
        line.append(link);
        this.detail.append(line);
      }
    }

    stop(step) {
      const stops = step > 0 ? this.stops : [...this.stops].reverse();
      const next = stops.find((at) => (at - this.chosen) * step > 0) ?? stops[0];
      if (next !== undefined) this.choose(next);
    }

    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const page = Math.max(1, Math.floor(this.view.clientHeight / ROW) - 2);
      const moves = {
        ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity,
      };
      if (event.key in moves) this.choose(this.chosen + moves[event.key]);
      else if (event.key === "n") this.stop(1);
      else if (event.key === "p") this.stop(-1);
      else if (event.key === "Enter" && this.broken.has(this.chosen)) {
        location.hash = `i${this.input}-f${this.broken.get(this.chosen)[0].index}`;
      } else return;
      event.preventDefault();
    }
  }

  const follow = () => {
    const [, input, event] = location.hash.match(/^#i(\d+)-e(\d+)$/) ?? [];
    const view = views.get(input);
    if (!view) return;
    view.choose(Number(event));
    view.view.scrollIntoView({ block: "center" });
    view.view.focus({ preventScroll: true });
  };
  for (const box of document.querySelectorAll(".lanes")) views.set(box.dataset.input, new View(box));
  // A link to the place that is shown already must scroll to it, too.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#i']");
    if (link && link.hash === location.hash) follow();
  });
  window.addEventListener("hashchange", follow);
  follow();
})();
