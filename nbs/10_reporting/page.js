// The board of a page: search, weights that move it, and any two models. Pages of notebooks: the button for code.
const toggle = document.getElementById('toggle-code');
if (toggle) toggle.addEventListener('click', () => document.body.classList.toggle('code'));
document.querySelectorAll('.output_subarea').forEach((area, k) => {
  if (area.scrollWidth <= area.clientWidth) return;
  area.tabIndex = 0;  // wider than its place: to be scrolled from the keyboard too
  area.setAttribute('role', 'region');
  area.setAttribute('aria-label', `wide output ${k + 1}`);
});

const element = (tag, text = '', given = {}) => Object.assign(document.createElement(tag), {textContent: text}, given);
const filled = (tag, className, ...parts) => { const e = element(tag, '', {className}); e.append(...parts); return e; };
const number = (x, digits) => {
  const text = Math.abs(x).toLocaleString('en', {minimumFractionDigits: digits, maximumFractionDigits: digits});
  return (x < 0 && /[1-9]/.test(text) ? '\u2212' : '') + text;
};
const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));

// The questions that changed in a check: lists of tasks and directions filter them.
document.querySelectorAll('table.changed').forEach(table => {
  const heads = [...table.tHead.rows[0].cells].map(cell => cell.textContent), rows = [...table.tBodies[0].rows];
  const fields = ['task', 'for the'].map(name => {
    const at = heads.indexOf(name), words = [...new Set(rows.map(row => row.cells[at].textContent))].sort();
    const field = element('select');
    field.append(new Option('all', ''), ...words.map(word => new Option(word)));
    return {name, at, field};
  });
  const tools = filled('p', 'tools', ...fields.map(({name, field}) => filled('label', '', `${name} `, field)));
  tools.addEventListener('change', () => rows.forEach(row => {
    row.hidden = fields.some(({at, field}) => field.value && row.cells[at].textContent !== field.value);
  }));
  table.closest('.scroll').before(tools);
});

const desk = document.querySelector('.desk');
if (desk) board(JSON.parse(desk.querySelector('script[type="application/json"]').textContent));

// The numbers of the page's table, best first: {i, score, lower, upper, first, last} as printed, and what else it says.
function read(given) {
  const heads = [...given.tHead.rows[0].cells].map(cell => cell.textContent), limits = heads.find(h => h.endsWith('interval'));
  const amounts = text => (text.match(/[\u2212\d.,]+/g) || []).map(x => Number(x.replace('\u2212', '-').replaceAll(',', '')));
  const list = [...given.tBodies[0].rows].map((row, i) => {
    const text = head => (heads.includes(head) ? row.cells[heads.indexOf(head)].textContent : '');
    const [score] = amounts(text('score')), [lower = NaN, upper = NaN] = amounts(text(limits));
    const [first = 0, last = first] = amounts(text('rank'));
    return {i, score, lower, upper, first, last, name: row.cells[0], more: [text('questions'), text('P(best)')]};
  });
  return {heads, limits, list};
}

function board(data) {
  const given = desk.querySelector('table'), {heads, limits, list} = read(given), [low, high, step] = data.axis;
  const ranked = heads.includes('rank'), seek = desk.querySelector('input[type=search]');
  const kinds = [['questions', 'n'], ['P(best)', 'p']], has = kinds.map(([name]) => heads.includes(name));
  const place = x => 100 * (x - low) / (high - low), inside = x => Math.min(Math.max(x, 0), 100);
  const table = element('table', '', {className: 'board'}), body = table.createTBody(), head = table.createTHead().insertRow();
  const names = list.map(r => r.name.textContent), shownNumber = x => number(x, data.scale.digits);
  const rows = list.map(r => { const row = element('tr'); row.dataset.i = r.i; return row; });
  const at = (tag, left, width) => {
    const e = element(tag);
    e.style.left = left + '%';
    if (width !== undefined) e.style.width = width + '%';
    return e;
  };
  const heading = (kind, ...parts) => { const th = filled('th', kind, ...parts); th.scope = 'col'; head.append(th); };
  if (ranked) heading('rank', 'rank', element('s', `of ${data.n.toLocaleString('en')}`));
  heading('', 'model');
  const ticks = Array.from({length: Math.round((high - low) / step) + 1}, (_, k) => low + k * step);
  heading('axis', filled('span', 'unseen', 'drawn'), ...ticks.map(tick => {
    const label = at('span', place(tick));
    label.textContent = `${+tick.toPrecision(4)}`.replace('-', '\u2212');
    return label;
  }));
  heading('score', ['score', data.scale.unit, limits].filter(Boolean).join(', '));
  kinds.forEach(([name, kind], k) => { if (has[k]) heading(kind, name); });
  table.style.setProperty('--step', `${100 * step / (high - low)}%`);
  given.closest('.scroll').replaceWith(table);

  const fits = chosen(data.filters, desk.querySelector('.tools'), () => find());
  const more = element('button', `Show all ${rows.length.toLocaleString('en')} models`);
  let most = 50;
  const find = () => {  // the first rows only, until all are asked for or a name is
    const asked = seek ? seek.value.trim().toLowerCase() : '', filtered = fits(-1);
    let count = 0;
    [...body.rows].forEach(row => {
      if (row.className === 'line') { row.hidden = asked !== '' || filtered || count > most; return; }
      const shown = names[+row.dataset.i].toLowerCase().includes(asked) && fits(+row.dataset.i);
      count += shown;
      row.hidden = !shown || (count > most && asked === '');
    });
    more.hidden = count <= most || asked !== '';
  };
  if (seek) seek.addEventListener('input', find);
  more.addEventListener('click', () => { most = Infinity; find(); });
  addEventListener('beforeprint', () => { most = Infinity; find(); });
  table.after(more);

  const rank = r => {
    const count = x => x.toLocaleString('en'), known = r.first > 0;
    const text = !known ? '' : r.first === r.last ? count(r.first) : `${count(r.first)}\u2013${count(r.last)}`;
    const bar = known ? [at('i', 100 * (r.first - 1) / data.n, 100 * (r.last - r.first + 1) / data.n)] : [];
    return filled('td', 'rank', element('span', text), filled('s', '', ...bar));
  };
  const strip = (r, known) => {
    const parts = [], from = place(known ? r.lower : r.score), to = place(known ? r.upper : r.score), dot = place(r.score);
    if (known) parts.push(at('i', inside(from), inside(to) - inside(from)));
    if (dot >= 0 && dot <= 100) parts.push(at('b', dot));
    if (from < -0.05) parts.push(element('u', '\u2039'));
    if (to > 100.05) parts.push(element('u', '\u203a', {className: 'end'}));
    return filled('td', 'strip', ...parts);
  };
  const show = (shown, moved) => {
    table.classList.toggle('moved', moved);
    const made = shown.map(r => {
      const known = !isNaN(r.lower), said = element('small', known ? `${shownNumber(r.lower)} to ${shownNumber(r.upper)}` : '');
      const score = filled('td', 'score', element('b', shownNumber(r.score)), ' ', said);
      const rest = kinds.flatMap(([, kind], k) => (has[k] ? [filled('td', kind, list[r.i].more[k])] : []));
      rows[r.i].replaceChildren(...(ranked ? [rank(r)] : []), list[r.i].name, strip(r, known), score, ...rest);
      return rows[r.i];
    });
    const leaders = shown.filter(r => r.first === 1).length, above = shown.reduce((k, r, i) => (r.first === 1 ? i + 1 : k), 0);
    if (leaders && leaders < data.n) {
      const line = filled('tr', 'line', element('td', leaders !== above ?
        `${leaders} of the ${above} above may be the best` : leaders === 1 ? 'above: the best' : 'above: may be the best',
      {colSpan: head.cells.length}));
      made.splice(above, 0, line);
    }
    body.replaceChildren(...made);
    find();
    return leaders;
  };
  show(list, false);
  if (data.weights) weigh(data, list, show);
  if (data.pairs) pick(data.pairs, rows, data.scale);
}

// Lists and highest values by which readers filter the models; a function of a row, or of -1: is any filter set?
function chosen(filters, tools, find) {
  const asked = filters.map(({name, most, values}) => {
    const field = most ? element('input', '', {type: 'number', placeholder: 'any'}) : element('select');
    if (!most) {
      field.append(new Option('all', ''), ...[...new Set(values)].filter(Boolean).sort().map(v => new Option(v)));
    }
    field.addEventListener(most ? 'input' : 'change', find);
    tools.append(filled('label', '', `${name}${most ? ' up to' : ''} `, field));
    return {field, most, values};
  });
  const note = element('small', '', {className: 'soft'});
  if (filters.length) tools.append(note);
  return i => {
    const set = asked.filter(({field}) => field.value !== '');
    note.textContent = set.length ? ' Ranks are those among all models.' : '';
    if (i < 0) return set.length > 0;
    return set.every(({field, most, values}) => (most ? values[i] !== null && values[i] <= +field.value : values[i] === field.value));
  };
}

// At the page's weights its own rows; at others square-and-add of the distances to the categories' limits, and pairs by
// the same rule with the correlation from factors of the covariance.
function weigh(data, list, show) {
  const {names, presets, categories} = data.weights, n = list.length, {digits, origin, sign, ends} = data.scale;
  const unit = 10 ** (digits + 2), [least, most] = ends.map((end, k) => end ?? (k ? Infinity : -Infinity));
  const printed = r => {  // the row, whose numbers are goodness, on the scale of the page
    const at = x => Math.min(Math.max(origin + sign * x, least), most), limits = [at(r.lower), at(r.upper)];
    const [lower, upper] = sign > 0 ? limits : limits.reverse();
    return {...r, score: origin + sign * r.score, lower, upper};
  };
  const root = element('div', '', {className: 'box', id: 'weights'}), said = element('output', '', {ariaLive: 'polite'});
  const input = (type, what) => element('input', '', {type, min: 0, max: 100, step: 'any', ariaLabel: what});
  const sliders = names.map(name => input('range', `weight of ${name}`));
  const fields = names.map(name => input('number', `per cent of ${name}`));
  const buttons = presets.map(preset => element('button', preset.name, {type: 'button'}));
  const labels = names.map((name, c) => filled('label', '',
    filled('span', '', element('bdi', name, {dir: 'auto'})), sliders[c], fields[c], ' %'));
  root.append(element('h2', 'Your weights'), ...(presets.length > 1 ? [filled('p', 'presets', ...buttons)] : []), ...labels,
    filled('p', 'soft', said));
  desk.querySelector('aside').append(root);
  const order = rows => rows.filter(r => !isNaN(r.score)).sort((a, b) => b.score - a.score || a.i - b.i);
  const computed = weights => {
    const used = weights.map((w, c) => c).filter(c => weights[c] > 0), limits = 'ends' in categories[0];
    const rows = order(list.map((_, i) => {
      const x = [], square = [0, 0, 0, 0];  // down and up for the interval, down and up for pairs
      let score = 0, own = 0, rest = 0;
      used.forEach(c => {
        const w = weights[c], part = categories[c], mean = part.score[i];
        score += w * (mean === null ? NaN : mean) / unit;
        if (!limits) return;
        part.ends[i].forEach((end, k) => { square[k] += (w * (end - mean) / unit) ** 2; });
        rest += w * w * part.rest[i] / 1e12;
        part.factors[i].forEach(f => { x.push(w * f / 1e6); own += (w * f / 1e6) ** 2; });
      });
      const [down, up, far, high] = square.map(Math.sqrt);
      return {i, x, far, high, sd: Math.sqrt(own + rest), score, lower: limits ? score - down : NaN,
              upper: limits ? score + up : NaN, first: limits ? 1 : 0, last: 0};
    }));
    if (!limits) return rows.map(printed);
    const apart = (a, b) => {  // a is ahead of b
      let shared = 0;
      for (let k = 0; k < a.x.length; k++) shared += a.x[k] * b.x[k];
      const rho = a.sd * b.sd > 0 ? Math.max(-1, Math.min(1, shared / (a.sd * b.sd))) : 0;
      return (a.score - b.score) ** 2 > a.far ** 2 - 2 * rho * a.far * b.high + b.high ** 2 + 1e-9;
    };
    rows.forEach((row, place) => {
      row.last = row.last || rows.length;
      for (let k = place + 1; k < rows.length; k++) {
        if (apart(row, rows[k])) { rows[k].first += 1; row.last -= 1; }
      }
    });
    return rows.map(printed);
  };
  let weights = presets[0].shares;
  const draw = (moving) => {
    const same = presets.findIndex(p => p.shares.every((w, c) => Math.abs(w - weights[c]) < 1e-4));
    sliders.forEach((s, c) => { if (s !== moving) s.value = 100 * weights[c]; });
    fields.forEach((f, c) => { if (f !== moving) f.value = +(100 * weights[c]).toPrecision(3); });
    buttons.forEach((b, k) => b.setAttribute('aria-pressed', k === same));
    const leaders = show(same === 0 ? list : computed(weights), same !== 0);
    const may = leaders ? `${leaders} of ${n} may be the best` : 'No intervals are known';
    said.textContent = same === 0 ? 'The weights of this page.' : `${may} at these weights. Sentence, numbers and pairs are those of the page's weights.`;
  };
  const set = (raw, moving) => {
    const sum = raw.reduce((a, b) => a + b, 0);
    weights = raw.map(w => (sum > 0 ? w / sum : 1 / raw.length));
    draw(moving);
    try {
      history.replaceState(null, '', '#weights=' + weights.map(w => +w.toPrecision(5)).join(','));
    } catch (refused) {
      console.log(refused);
    }
  };
  const give = (c, value, moving) => {  // the others share the rest as they did
    const share = Math.min(Math.max(value / 100 || 0, 0), 1), others = 1 - weights[c];
    set(weights.map((w, k) => (k === c ? share : others > 1e-9 ? w * (1 - share) / others : (1 - share) / (weights.length - 1))), moving);
  };
  sliders.forEach((s, c) => s.addEventListener('input', () => give(c, +s.value, s)));
  fields.forEach((f, c) => f.addEventListener('change', () => give(c, +f.value)));
  buttons.forEach((b, k) => b.addEventListener('click', () => set(presets[k].shares)));
  draw();
  const kept = new URLSearchParams(location.hash.slice(1)).get('weights');
  if (kept) {
    const asked = kept.split(',').map(w => Math.max(+w || 0, 0));
    if (asked.length === sliders.length) set(asked);
  }
}

// Two models: their difference, and the questions that decided it.
function pick(data, rows, scale) {
  const listed = data.names, n = listed.length, at = new Map(listed.map((name, i) => [name, i]));
  const root = element('div', '', {className: 'box', id: 'pair'});
  const inputs = ['first model', 'second model'].map(what => element('input', '', {ariaLabel: what, dir: 'auto'}));
  const said = element('output', '', {ariaLive: 'polite'}), decided = element('div', '', {className: 'decided'});
  const options = element('datalist', '', {id: 'models'});
  options.append(...listed.map(value => element('option', '', {value})));
  inputs.forEach((x, k) => { x.setAttribute('list', 'models'); x.value = listed[k ? data.second : 0]; });
  root.append(element('h2', 'Any two models'), ...inputs, options, filled('p', '', said), decided,
    element('p', data.said, {className: 'soft'}));
  desk.querySelector('aside').append(root);
  const ends = new (data.wide ? Int32Array : Int16Array)(bytes(data.ends).buffer), codes = new Uint16Array(bytes(data.p).buffer);
  const scores = data.items && bytes(data.items.scores);
  const judged = (i, j) => {
    const a = Math.min(i, j), b = Math.max(i, j), k = a * n - a * (a + 1) / 2 + b - a - 1, first = i < j;
    const stored = [0, 1, 2].map(e => ends[3 * k + e] / 10 ** (scale.digits + (scale.ratio ? 2 : 0)));
    const [difference, lower, upper] = stored.map(x => first ? x : scale.ratio ? 1 / x : -x);
    const code = codes[k] % 20000, exact = `p\u00a0=\u00a0${(code / 10000).toFixed(code < 100 ? 4 : 2)}`;
    const p = code === 0 ? 'p\u00a0<\u00a00.0001' : code >= 9900 ? 'p\u00a0>\u00a00.99' : exact;
    const [from, to] = first ? [lower, upper] : [upper, lower];
    const verdict = codes[k] >= 20000 ? 'They can be told apart.' : 'They cannot be told apart.';
    const [seen, least, most] = [difference, from, to].map(x => number(x, scale.digits));
    return `${seen} ${scale.points} (${least} to ${most}), ${p}. ${verdict}`;
  };
  const questions = (better, worse) => {
    const {names, tasks, task} = data.items, m = names.length, score = (i, k) => scores[i * m + k];
    const won = names.map((_, k) => k).filter(k => score(better, k) !== 255 && score(worse, k) !== 255 && score(better, k) > score(worse, k));
    won.sort((a, b) => (score(better, b) - score(worse, b)) - (score(better, a) - score(worse, a)) || a - b);
    const box = element('details', ''), ul = element('ul', '');
    ul.tabIndex = 0;  // the list scrolls within its box
    box.append(element('summary', `${won.length.toLocaleString('en')} question${won.length === 1 ? '' : 's'} scored higher by ${listed[better]}`), ul);
    won.slice(0, 200).forEach(k => ul.append(element('li', tasks.length > 1 ? `${tasks[task[k]]}: ${names[k]}` : names[k])));
    if (won.length > 200) ul.append(element('li', `and ${(won.length - 200).toLocaleString('en')} more`));
    return box;
  };
  const show = () => {
    const [i, j] = inputs.map(x => at.get(x.value));
    decided.replaceChildren();
    if (i === undefined || j === undefined || i === j) {
      said.textContent = 'Choose two different models of the list.';
      return;
    }
    said.textContent = judged(i, j);
    if (data.items && Math.max(i, j) < data.items.n) decided.append(questions(i, j), questions(j, i));
  };
  inputs.forEach(x => { x.addEventListener('change', show); x.addEventListener('focus', () => x.select()); });
  let next = 0;
  rows.forEach(row => row.addEventListener('click', () => {
    const name = row.querySelector('th').textContent;
    if (!at.has(name) || inputs.some(x => x.value === name)) return;
    inputs[next].value = name;
    next = 1 - next;
    show();
  }));
  show();
}
