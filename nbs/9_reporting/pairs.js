// Two models chosen from all: their difference, and the questions that decided it.
(function (root, data) {
  const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const n = data.models.length, ends = new Int16Array(bytes(data.ends).buffer), p = new Uint16Array(bytes(data.p).buffer);
  const scores = data.items && bytes(data.items.scores), inputs = [...root.querySelectorAll('input')];
  const said = root.querySelector('output'), decided = root.querySelector('.decided');
  const number = new Map(data.models.map((name, i) => [name, i]));
  const points = x => (Number(x.toFixed(1)) < 0 ? '\u2212' : '') + Math.abs(x).toFixed(1);
  const element = (tag, text) => { const e = document.createElement(tag); e.textContent = text; return e; };
  const short = name => (name.length > 44 ? name.slice(0, 29) + '\u2026' + name.slice(-14) : name);
  const judged = (i, j) => {  // the better first, as the pairs are stored
    const k = i * n - i * (i + 1) / 2 + j - i - 1, pValue = p[k] / 10000;
    const [low, high] = [ends[2 * k] / 100, ends[2 * k + 1] / 100], apart = pValue <= 1 - data.level + 1e-9;
    const value = pValue < 0.0005 ? 'p < 0.0005' : `p = ${pValue.toFixed(3)}`;
    return `${short(data.models[i])} ${points(100 * data.estimates[i])}, ${short(data.models[j])} ` +
      `${points(100 * data.estimates[j])}: difference ${points(100 * (data.estimates[i] - data.estimates[j]))} points ` +
      `(${points(low)}, ${points(high)}), ${value}; ${apart ? 'distinguished' : 'not distinguished'}.`;
  };
  const list = (better, worse) => {
    const {names, tasks, task} = data.items, m = names.length, at = (i, k) => scores[i * m + k];
    const won = names.map((_, k) => k).filter(k => at(better, k) !== 255 && at(worse, k) !== 255 && at(better, k) > at(worse, k));
    won.sort((a, b) => (at(better, b) - at(worse, b)) - (at(better, a) - at(worse, a)) || a - b);
    const box = element('details', ''), verb = data.items.binary ? 'right for' : 'scored higher by';
    box.append(element('summary', `${won.length.toLocaleString('en')} questions ${verb} ${short(data.models[better])} only`));
    const ul = element('ul', '');
    won.slice(0, 200).forEach(k => ul.append(element('li', tasks.length > 1 ? `${tasks[task[k]]}: ${names[k]}` : names[k])));
    if (won.length > 200) ul.append(element('li', `and ${(won.length - 200).toLocaleString('en')} more`));
    box.append(ul);
    return box;
  };
  const show = () => {
    const [i, j] = inputs.map(x => number.get(x.value));
    decided.replaceChildren();
    if (i === undefined || j === undefined || i === j) {
      said.textContent = 'Choose two different models from the lists.';
      return;
    }
    said.textContent = judged(Math.min(i, j), Math.max(i, j));
    if (!data.items) return;
    if (Math.max(i, j) >= data.items.models) {
      decided.append(element('p', `The questions are on this page for the best ${data.items.models} models only.`));
      return;
    }
    decided.append(list(i, j), list(j, i));
  };
  inputs.forEach(x => { x.addEventListener('change', show); x.addEventListener('focus', () => x.select()); });
  show();
})(document.currentScript.parentElement, JSON.parse(document.currentScript.previousElementSibling.textContent));
