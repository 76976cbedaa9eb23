// For the weights on the sliders: score, interval, probability of being best and ranks of each model,
// from the draws that the page holds.
(function (root, data) {
  const quantile = (sorted, q) => {
    const h = (sorted.length - 1) * q, low = Math.floor(h), high = Math.min(low + 1, sorted.length - 1);
    return sorted[low] + (h - low) * (sorted[high] - sorted[low]);
  };
  const summarise = weights => {
    const n = data.draws[0][0].length, tail = (1 - data.level) / 2;
    const scores = data.draws.map(model => Array.from({length: n}, (_, d) =>
      model.reduce((sum, category, c) => sum + weights[c] * category[d], 0) / 100));
    const ranks = scores.map(() => new Array(n)), best = scores.map(() => 0);
    for (let d = 0; d < n; d++) {
      const order = scores.map((s, i) => i).sort((a, b) => scores[b][d] - scores[a][d]);
      order.forEach((model, place) => { ranks[model][d] = place + 1; });
      const first = order.filter(i => scores[i][d] === scores[order[0]][d]);
      first.forEach(i => { best[i] += 1 / first.length / n; });
    }
    return scores.map((s, i) => {
      const sorted = [...s].sort((a, b) => a - b), r = ranks[i].sort((a, b) => a - b);
      return {name: data.models[i], mean: s.reduce((a, b) => a + b, 0) / n, lower: quantile(sorted, tail),
              upper: quantile(sorted, 1 - tail), best: best[i], first: quantile(r, tail), last: quantile(r, 1 - tail)};
    }).sort((a, b) => b.mean - a.mean);
  };
  const sliders = [...root.querySelectorAll('input')], body = root.querySelector('tbody');
  const draw = () => {
    const raw = sliders.map(s => +s.value), sum = raw.reduce((a, b) => a + b, 0);
    const weights = raw.map(w => sum > 0 ? w / sum : 1 / raw.length);
    sliders.forEach((s, c) => { s.nextElementSibling.textContent = (100 * weights[c]).toFixed(0) + ' %'; });
    const rows = summarise(weights), low = Math.min(...rows.map(r => r.lower));
    const span = Math.max(...rows.map(r => r.upper)) - low || 1;
    body.replaceChildren(...rows.map(r => {
      const tr = document.createElement('tr'), first = Math.round(r.first), last = Math.round(r.last);
      const score = `${r.mean.toFixed(1)} (${r.lower.toFixed(1)}, ${r.upper.toFixed(1)})`;
      const cells = [r.name, score, '', r.best.toFixed(2), first === last ? `${first}` : `${first}\u2013${last}`];
      cells.forEach((text, i) => {
        const td = document.createElement(i ? 'td' : 'th');
        td.textContent = text;
        tr.append(td);
      });
      const bar = document.createElement('span');
      bar.className = 'bar';
      bar.style.left = 100 * (r.lower - low) / span + '%';
      bar.style.width = Math.max(1, 100 * (r.upper - r.lower) / span) + '%';
      tr.children[2].className = 'track';
      tr.children[2].append(bar);
      return tr;
    }));
  };
  const kept = new URLSearchParams(location.hash.slice(1)).get('weights');
  if (kept) kept.split(',').forEach((w, c) => { if (sliders[c]) sliders[c].value = w; });
  sliders.forEach(s => s.addEventListener('input', () => {
    draw();
    try {
      history.replaceState(null, '', '#weights=' + sliders.map(x => x.value).join(','));
    } catch (refused) {
      console.log(refused);
    }
  }));
  draw();
})(document.currentScript.parentElement, JSON.parse(document.currentScript.previousElementSibling.textContent));
