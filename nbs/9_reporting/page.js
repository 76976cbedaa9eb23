document.querySelectorAll('table').forEach(table => {
  const head = table.tHead && table.tHead.rows[0], body = table.tBodies[0];
  if (!head || !body || table.closest('.explorer')) return;
  const names = table.tHead.rows[1];
  if (names && [...names.cells].slice(1).every(c => !c.textContent) && !head.cells[0].textContent) {
    head.cells[0].textContent = names.cells[0].textContent;
    names.remove();
  }
  const text = (row, i) => (row.cells[i] ? row.cells[i].textContent.trim() : '');
  const number = s => { const m = s.replace(/,(?=\d{3})/g, '').match(/^[-+]?[\d.]+(e[-+]?\d+)?/i); return m ? parseFloat(m[0]) : NaN; };
  const simple = [...body.rows].every(r => r.cells.length === head.cells.length && [...r.cells].every(c => c.rowSpan === 1));
  [...head.cells].forEach((heading, i) => {
    const words = [...body.rows].map(r => text(r, i)).filter(Boolean);
    if (words.some(w => isNaN(number(w)))) {
      [heading, ...[...body.rows].map(r => r.cells[i]).filter(Boolean)].forEach(c => c.classList.add('text'));
      if (words.some(w => w.length > 60)) [...body.rows].forEach(r => r.cells[i] && r.cells[i].classList.add('long'));
    }
    if (!simple) return;
    heading.classList.add('sortable');
    heading.addEventListener('click', () => {
      const down = heading.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
      [...head.cells].forEach(c => c.removeAttribute('aria-sort'));
      heading.setAttribute('aria-sort', down > 0 ? 'ascending' : 'descending');
      const compare = (a, b) => { const x = number(a), y = number(b); return isNaN(x) || isNaN(y) ? a.localeCompare(b) : x - y; };
      [...body.rows].sort((r, s) => down * compare(text(r, i), text(s, i))).forEach(r => body.append(r));
    });
  });
});
const toggle = document.getElementById('toggle-code');
if (toggle) toggle.addEventListener('click', () => document.body.classList.toggle('code'));
