// For the weights on the sliders: score, interval and band of ranks of every model, from the board and from scores,
// limits and factors of the covariance by category, which the page holds.
(function (root, data) {
  const n = data.models.length, sliders = [...root.querySelectorAll('input[type=range]')];
  const body = root.querySelector('tbody'), seek = root.querySelector('input[type=search]'), said = root.querySelector('output.said');
  const short = name => (name.length > 44 ? name.slice(0, 29) + '\u2026' + name.slice(-14) : name);
  // At the board's own weights its own rows; at others square-and-add of the distances to the categories' limits.
  const computed = weights => {
    const used = weights.map((w, c) => c).filter(c => weights[c] > 0);
    const rows = data.models.map((name, i) => {
      const x = [], square = [0, 0, 0, 0];  // down and up for the interval, down and up for pairs
      let score = 0, own = 0, rest = 0;
      used.forEach(c => {
        const w = weights[c], part = data.categories[c], mean = part.score[i];
        score += w * (mean === null ? NaN : mean) / 1000;
        part.ends[i].forEach((end, k) => { square[k] += (w * (end - mean) / 1000) ** 2; });
        rest += w * w * part.rest[i] / 1e12;
        part.factors[i].forEach(f => { x.push(w * f / 1e6); own += (w * f / 1e6) ** 2; });
      });
      const [down, up, far, high] = square.map(Math.sqrt);
      return {i, name, x, far, high, sd: Math.sqrt(own + rest), score, lower: Math.max(score - down, 0),
              upper: Math.min(score + up, 100), first: 1, last: 0};
    }).filter(r => !isNaN(r.score)).sort((a, b) => b.score - a.score);
    const apart = (a, b) => {  // a is ahead of b
      let shared = 0;
      for (let k = 0; k < a.x.length; k++) shared += a.x[k] * b.x[k];
      const rho = a.sd * b.sd > 0 ? Math.max(-1, Math.min(1, shared / (a.sd * b.sd))) : 0;
      return (a.score - b.score) ** 2 > a.far ** 2 - 2 * rho * a.far * b.high + b.high ** 2 + 1e-9;
    };
    const many = rows.length > 500;
    rows.forEach((row, place) => {
      if (many) { row.tied = place === 0 || !apart(rows[0], row); return; }
      row.last = row.last || rows.length;
      for (let k = place + 1; k < rows.length; k++) {
        if (apart(row, rows[k])) { rows[k].first += 1; row.last -= 1; }
      }
      row.tied = row.first === 1;
    });
    return rows;
  };
  const given = () => data.models.map((name, i) => {
    const [score, lower, upper] = data.board[i].slice(0, 3).map(x => (x === null ? NaN : x / 1000));
    const [first, last] = data.board[i].slice(3);
    return {i, name, score, lower, upper, first, last, tied: first === 1};
  }).filter(r => !isNaN(r.score));
  const summarise = weights =>
    (weights.every((w, c) => Math.abs(w - data.start[c]) < 1e-4) ? given() : computed(weights));
  const cell = (tag, text, title) => {
    const e = document.createElement(tag);
    e.textContent = text;
    if (title) e.title = title;
    return e;
  };
  const picture = (row, low, span) => {
    const td = cell('td', ''), bar = document.createElement('i'), mark = document.createElement('b');
    td.className = 'track';
    td.setAttribute('aria-hidden', 'true');
    bar.style.left = 100 * (row.lower - low) / span + '%';
    bar.style.width = 100 * (row.upper - row.lower) / span + '%';
    mark.style.left = 100 * (row.score - low) / span + '%';
    td.append(bar, mark);
    return td;
  };
  let limit = 25;
  const draw = () => {
    const raw = sliders.map(s => +s.value), sum = raw.reduce((a, b) => a + b, 0);
    const weights = raw.map(w => (sum > 0 ? w / sum : 1 / raw.length));
    sliders.forEach((s, c) => { s.nextElementSibling.textContent = (100 * weights[c]).toFixed(0) + ' %'; });
    const rows = summarise(weights), asked = seek.value.trim().toLowerCase();
    rows.forEach((r, place) => { r.place = place + 1; });
    const found = asked ? rows.filter(r => r.name.toLowerCase().includes(asked)) : rows, shown = found.slice(0, limit);
    if (!shown.length) { body.replaceChildren(); said.textContent = 'No model of this name.'; return; }
    const low = Math.min(...shown.map(r => r.lower)), span = Math.max(...shown.map(r => r.upper)) - low || 1;
    body.replaceChildren(...shown.map(r => {
      const tr = document.createElement('tr'), name = cell('th', '', short(r.name) === r.name ? '' : r.name);
      const bdi = cell('bdi', short(r.name));
      name.scope = 'row';
      name.append(bdi);
      if (r.tied) tr.className = 'first';
      const ranks = rows.length > 500 ? `${r.place}` : r.first === r.last ? `${r.first}` : `${r.first}\u2013${r.last}`;
      tr.append(name, cell('td', `${r.score.toFixed(1)} (${r.lower.toFixed(1)}, ${r.upper.toFixed(1)})`),
                picture(r, low, span), cell('td', ranks));
      return tr;
    }));
    said.textContent = `${shown.length} of ${found.length.toLocaleString('en')} models shown; ` +
      `${rows.filter(r => r.tied).length} marked.`;
  };
  const kept = new URLSearchParams(location.hash.slice(1)).get('weights');
  if (kept) kept.split(',').forEach((w, c) => { if (sliders[c]) sliders[c].value = w; });
  let waiting = 0;
  const later = () => { cancelAnimationFrame(waiting); waiting = requestAnimationFrame(draw); };
  sliders.forEach(s => s.addEventListener('input', () => {
    later();
    try {
      history.replaceState(null, '', '#weights=' + sliders.map(x => x.value).join(','));
    } catch (refused) {
      console.log(refused);
    }
  }));
  seek.addEventListener('input', draw);
  root.querySelector('button').addEventListener('click', () => { limit *= 4; draw(); });
  draw();
})(document.currentScript.parentElement, JSON.parse(document.currentScript.previousElementSibling.textContent));
