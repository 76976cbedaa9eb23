// Which tables DataTables takes on, and by which number a cell sorts.
(() => {
  const number = s => { const m = s.replace(/,(?=\d{3})/g, '').match(/^[-+\u2212]?[\d.]+(e[-+]?\d+)?/i);
    return m ? parseFloat(m[0].replace('\u2212', '-')) : NaN; };
  const settle = table => {
    const head = table.tHead && table.tHead.rows[0], body = table.tBodies[0];
    if (!head || !body || table.closest('.script')) return;
    const names = table.tHead.rows[1];
    const filledIn = c => c.textContent.trim() !== '';
    if (names && names.cells.length === head.cells.length &&
        [...names.cells].every((c, i) => i === 0 || !filledIn(c) || !filledIn(head.cells[i]))) {
      [...names.cells].forEach((c, i) => { if (i === 0 || filledIn(c)) head.cells[i].textContent = c.textContent; });
      names.remove();
    }
    const rows = [...body.rows], cells = i => rows.map(r => r.cells[i]).filter(Boolean);
    const simple = table.tHead.rows.length === 1 &&
      rows.every(r => r.cells.length === head.cells.length && [...r.cells].every(c => c.rowSpan + c.colSpan === 2));
    [...head.cells].forEach((heading, i) => {
      const words = cells(i).map(c => c.textContent.trim()), filled = words.filter(Boolean);
      const worded = filled.some(w => isNaN(number(w)));
      if (worded && !table.classList.contains('board')) {
        [heading, ...cells(i)].forEach(c => c.classList.add('text'));
        if (filled.some(w => w.length > 60)) cells(i).forEach(c => c.classList.add('long'));
      }
      if (simple && !worded) cells(i).forEach((c, k) => {
        if (!c.dataset.order) c.dataset.order = words[k] === '' ? -1e99 : number(words[k]);
      });
    });
    if (!simple || rows.length < 2 || typeof jQuery === 'undefined') return;
    const many = rows.length > 12, exported = {columns: ':not(.picture)', orthogonal: 'filter'};
    const filename = document.title.replace(/[^\w -]/g, '') || 'table';
    const buttons = {buttons: [{extend: 'copy', exportOptions: exported, title: null},
                               {extend: 'csv', text: 'Download CSV', exportOptions: exported, filename}]};
    if (!head.cells[0].textContent.trim()) head.cells[0].innerHTML = '<span class="unseen">row</span>';
    const frame = table.closest('.scroll');
    if (frame && rows.length > 25) frame.classList.remove('scroll');
    const shown = jQuery(table).DataTable({
      order: [], autoWidth: false, paging: rows.length > 25, pageLength: 25, lengthMenu: [25, 100, 500, {label: 'all', value: -1}],
      searching: many, info: many, orderClasses: false, columnDefs: [{targets: '.picture', orderable: false}],
      layout: {topStart: many ? buttons : null, topEnd: many ? 'search' : null,
               bottomStart: many ? ['info', 'pageLength'].slice(0, rows.length > 25 ? 2 : 1) : null,
               bottomEnd: rows.length > 25 ? 'paging' : null},
    });
    if (rows.length > 25 && rows.length <= 500) {  // on paper nobody turns pages; of a longer table what is on the screen
      let chosen = 25;
      addEventListener('beforeprint', () => { chosen = shown.page.len(); shown.page.len(-1).draw(); });
      addEventListener('afterprint', () => shown.page.len(chosen).draw());
    }
  };
  document.querySelectorAll('table').forEach(settle);
  const reach = () => document.querySelectorAll('.output_subarea, .dt-layout-table').forEach((area, k) => {
    if (area.scrollWidth <= area.clientWidth && area.scrollHeight <= area.clientHeight) return;
    area.tabIndex = 0;  // larger than its place: to be scrolled from the keyboard too
    area.setAttribute('role', 'region');
    area.setAttribute('aria-label', `wide table ${k + 1}`);
  });
  reach();
  addEventListener('load', reach);
  document.querySelectorAll('.dt-paging nav').forEach((nav, k) => nav.setAttribute('aria-label', `pages of table ${k + 1}`));
  const toggle = document.getElementById('toggle-code');
  if (toggle) toggle.addEventListener('click', () => document.body.classList.toggle('code'));
})();
