// What the reader does: choose a mention, follow the scrolling, filter, search, keys, colours, print.

const STATUSES = ['linked', 'moved', 'missing', 'outside', 'refused'];
const QUIET = new Set(['outside', 'refused']);
const THEMES = ['auto', 'light', 'dark'];
const ZOOMS = [1, 1.35, 1.8, 2.4];
const FREE_AFTER = 140;

const paper = find('#paper');
const details = find('#details');
const state = { mention: -1, concept: -1, query: '', only: '', on: new Set(), zoom: 0, held: null };
let marks = [];

// ---- filters

function matches(mention) {
  if (!state.on.has(mention.status)) return false;
  if (state.only !== '' && mention.concept !== Number(state.only)) return false;
  if (!state.query) return true;
  const concept = data.concepts[mention.concept];
  return [concept.name, concept.public, concept.symbol, mention.surface, mention.context]
    .some((text) => text.toLowerCase().includes(state.query));
}

function applyFilters() {
  let shown = 0;
  data.mentions.forEach((mention, at) => {
    const kept = matches(mention);
    if (kept) shown += 1;
    eachPart(marks[at], (part) => (part.hidden = !kept));
  });
  const words = say('shown', { shown, all: data.mentions.length });
  find('#count').textContent = words;
  announce(words);
  if (state.concept < 0) showOverview();
}

function makeStatusChips() {
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0]));
  data.mentions.forEach((mention) => (counts[mention.status] += 1));
  // A paper about something else has nothing but quiet ones.
  const loud = STATUSES.some((status) => counts[status] && !QUIET.has(status));
  for (const status of STATUSES.filter((one) => counts[one])) {
    const box = make('input', { type: 'checkbox', value: status });
    box.checked = !QUIET.has(status) || !loud;
    if (box.checked) state.on.add(status);
    box.addEventListener('change', () => {
      if (box.checked) state.on.add(status);
      else state.on.delete(status);
      applyFilters();
    });
    find('#statuses').append(make('label', { class: `chip ${status}`, title: say(`${status} means`) }, box,
      make('span', { class: 'swatch' }), say(status), ' ', make('span', { class: 'muted' }, String(counts[status]))));
  }
}

function makeConceptFilter() {
  const select = find('#only');
  data.concepts.forEach((concept, number) => {
    if (data.mentions.some((mention) => mention.concept === number)) {
      select.append(make('option', { value: String(number) }, concept.name));
    }
  });
  select.addEventListener('change', () => {
    state.only = select.value;
    if (state.only === '') applyFilters();
    else showOnly(Number(state.only));
  });
}

// A concept that is asked for by name is shown whatever its status.
function showOnly(number) {
  for (const mention of data.mentions) {
    if (mention.concept === number && !state.on.has(mention.status)) switchOn(mention.status);
  }
  applyFilters();
  const first = data.mentions.findIndex(matches);
  if (first >= 0) choose(first, { scroll: true });
}

function switchOn(status) {
  state.on.add(status);
  find(`#statuses input[value="${status}"]`).checked = true;
}

function clearFilters() {
  state.query = '';
  state.only = '';
  find('#query').value = '';
  find('#only').value = '';
  for (const box of findAll('#statuses input')) {
    box.checked = true;
    state.on.add(box.value);
  }
  applyFilters();
}

// ---- choosing

function choose(at, { scroll = false, focus = false, follow = false } = {}) {
  const mention = data.mentions[at];
  if (state.mention >= 0) eachPart(marks[state.mention], (part) => part.removeAttribute('aria-current'));
  const same = state.concept === mention.concept && state.mention === at;
  state.mention = at;
  state.concept = mention.concept;
  const mark = marks[at];
  eachPart(mark, (part) => part.setAttribute('aria-current', 'true'));
  if (scroll && mark) bringIntoView(paper, mark);
  if (focus && mark) mark.focus({ preventScroll: true });
  if (!follow) state.held = paper.scrollTop;
  if (!same) showConcept();
  if (!same && !follow) history.replaceState(null, '', `#m${at + 1}`);
}

function showConcept() {
  const mention = data.mentions[state.mention];
  const concept = data.concepts[state.concept];
  put(conceptArticle(concept, mention, walker()));
}

function put(article) {
  find('#shown').replaceChildren(article);
  details.scrollTop = 0;
  for (const box of findAll('.code', article)) showFirst(box);
}

// A long listing opens at what matters in it.
function showFirst(box) {
  const row = find('.row.stop, .row.active', box);
  if (row && row.offsetTop > box.clientHeight * 0.7) box.scrollTop = row.offsetTop - box.clientHeight * 0.35;
}

function walker() {
  const own = data.mentions.map((mention, at) => (mention.concept === state.concept ? at : -1)).filter((at) => at >= 0);
  const place = own.indexOf(state.mention);
  const go = (by) => choose(own[(place + by + own.length) % own.length], { scroll: true });
  const back = button({ class: 'quiet', onclick: showOverview }, say('overview'));
  if (own.length < 2) return make('span', { class: 'walker' }, back);
  return make('span', { class: 'walker' },
    button({ class: 'quiet', 'aria-label': say('previous'), title: say('previous'), onclick: () => go(-1) }, '‹'),
    make('span', { class: 'muted' }, say('mention count', { number: place + 1, all: own.length })),
    button({ class: 'quiet', 'aria-label': say('next'), title: say('next'), onclick: () => go(1) }, '›'), back);
}

function showOverview() {
  if (state.mention >= 0) eachPart(marks[state.mention], (part) => part.removeAttribute('aria-current'));
  state.mention = -1;
  state.concept = -1;
  state.held = paper.scrollTop;
  const entries = conceptEntries();
  const groups = [
    { title: say('start'), entries: entries.filter(({ concept }) => concept.study), folded: false },
    { title: say('more'), entries: entries.filter(({ concept }) => !concept.study), folded: !state.query },
  ].filter((group) => group.entries.length);
  const article = overview(groups, chooseConcept);
  if (!groups.length) {
    article.append(make('p', {}, say('nothing'), ' ', button({ class: 'quiet', onclick: clearFilters }, say('clear'))));
  }
  put(article);
}

function conceptEntries() {
  const counts = new Map();
  for (const mention of data.mentions) {
    if (matches(mention)) counts.set(mention.concept, (counts.get(mention.concept) || 0) + 1);
  }
  return data.concepts.map((concept, number) => ({ concept, number, count: counts.get(number) || 0 }))
    .filter(({ count }) => count);
}

function chooseConcept(number) {
  const first = data.mentions.findIndex((mention) => mention.concept === number && matches(mention));
  if (first < 0) return;
  choose(first, { scroll: true });
  find('#shown h2').focus({ preventScroll: true });
}

function step(by) {
  const shown = data.mentions.map((mention, at) => (marks[at] && matches(mention) ? at : -1)).filter((at) => at >= 0);
  if (!shown.length) return;
  const from = state.mention >= 0 ? state.mention : nearestMark(paper, marks) - (by > 0 ? 1 : 0);
  const next = by > 0 ? shown.find((at) => at > from) : shown.findLast((at) => at < from);
  choose(next ?? (by > 0 ? shown[0] : shown[shown.length - 1]), { scroll: true, focus: true });
}

// ---- following

function follow() {
  if (state.held !== null && Math.abs(paper.scrollTop - state.held) < FREE_AFTER) return;
  state.held = null;
  const at = nearestMark(paper, marks);
  if (at >= 0) choose(at, { follow: true });
}

function followScrolling() {
  let asked = 0;
  paper.addEventListener('scroll', () => {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(follow);
  }, { passive: true });
}

// ---- keys

function escapePressed() {
  const query = find('#query');
  if (document.activeElement === query && query.value) {
    query.value = '';
    state.query = '';
    applyFilters();
    return;
  }
  const mark = marks[state.mention];
  showOverview();
  if (document.activeElement === query) query.blur();
  else if (details.contains(document.activeElement)) mark?.focus({ preventScroll: true });
}

const KEYS = {
  j: () => step(1),
  k: () => step(-1),
  ArrowRight: () => step(1),
  ArrowLeft: () => step(-1),
  '/': () => openSearch(),
  '?': () => find('#help-box').showModal(),
  d: () => (find('#shown h2') || details).focus(),
  p: () => (marks[state.mention] || paper).focus(),
  '+': () => zoom(1),
  '-': () => zoom(-1),
};

function openSearch() {
  toggleFilters(true);
  find('#query').focus();
  find('#query').select();
}

// In a pane the up and down keys scroll; on a mention, and where nothing would scroll, they go to the next one.
function keyAction(event) {
  const focused = document.activeElement;
  const free = focused === document.body || focused?.classList.contains('mark');
  if (free && event.key === 'ArrowDown') return KEYS.j;
  if (free && event.key === 'ArrowUp') return KEYS.k;
  if (event.key.startsWith('Arrow') && focused?.closest('.code')) return undefined;
  return Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : undefined;
}

function keyPressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || find('#help-box').open) return;
  if (event.key === 'Escape') {
    escapePressed();
    return;
  }
  if (event.target.closest('input[type=search], select, textarea')) return;
  const action = keyAction(event);
  if (!action) return;
  event.preventDefault();
  action();
}

// ---- looks

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  const label = say(`theme ${theme}`);
  find('#theme').setAttribute('aria-label', label);
  find('#theme').title = label;
}

function nextTheme() {
  const theme = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
  setTheme(theme);
  remember('theme', theme);
  announce(say(`theme ${theme}`));
}

function zoom(by) {
  state.zoom = Math.min(ZOOMS.length - 1, Math.max(0, state.zoom + by));
  const middle = (paper.scrollTop + paper.clientHeight / 2) / paper.scrollHeight;
  paper.style.setProperty('--zoom', ZOOMS[state.zoom]);
  paper.scrollTop = middle * paper.scrollHeight - paper.clientHeight / 2;
  if (marks[state.mention]) bringIntoView(paper, marks[state.mention]);
  state.held = paper.scrollTop;
  find('#smaller').disabled = state.zoom === 0;
  find('#larger').disabled = state.zoom === ZOOMS.length - 1;
}

function toggleFilters(open) {
  find('.bar').classList.toggle('open', open);
  find('#filters-switch').setAttribute('aria-expanded', String(open));
}

function makeHelp() {
  const keys = [['j k', 'key next'], ['→ ←', 'key next'], ['/', 'key search'], ['Esc', 'key escape'],
    ['d p', 'key details'], ['+ −', 'key zoom'], ['?', 'key help']];
  const rows = keys.map(([names, words]) => make('div', {},
    make('dt', {}, names.split(' ').map((name) => make('kbd', {}, name))), make('dd', {}, say(words))));
  const legend = STATUSES.map((status) => make('div', {},
    make('dt', {}, badge(status)), make('dd', {}, say(`${status} means`))));
  find('#help-body').append(make('h3', {}, say('keys')), make('dl', {}, rows),
    make('h3', {}, say('colours')), make('dl', {}, legend));
}

// On paper nothing can be clicked: the pages are followed by every concept that is shown.
function preparePrint() {
  const shown = conceptEntries().filter(({ concept }) => data.definitions[concept.symbol]);
  find('#print').replaceChildren(...shown.map(({ concept }) => printedArticle(concept)), ...printedModels());
}

// ---- start

function wire() {
  const query = find('#query');
  query.addEventListener('input', () => {
    state.query = query.value.trim().toLowerCase();
    if (state.concept >= 0 && state.query) showOverview();
    applyFilters();
  });
  find('#theme').addEventListener('click', nextTheme);
  find('#help').addEventListener('click', () => find('#help-box').showModal());
  find('#larger').addEventListener('click', () => zoom(1));
  find('#smaller').addEventListener('click', () => zoom(-1));
  find('#filters-switch').addEventListener('click', () => toggleFilters(!find('.bar').classList.contains('open')));
  find('#grip').addEventListener('click', () => document.body.classList.toggle('large-details'));
  document.addEventListener('keydown', keyPressed);
  window.addEventListener('beforeprint', preparePrint);
  window.addEventListener('afterprint', () => find('#print').replaceChildren());
}

function openAddressed() {
  const at = Number((location.hash.match(/^#m(\d+)$/) || [])[1]) - 1;
  const mention = data.mentions[at];
  if (!mention) return;
  if (!state.on.has(mention.status)) switchOn(mention.status);
  applyFilters();
  choose(at, { scroll: true });
}

function start() {
  setTheme(THEMES.includes(remembered('theme')) ? remembered('theme') : 'auto');
  makeStatusChips();
  makeConceptFilter();
  makeHelp();
  marks = putMarks((at) => choose(at));
  zoom(0);
  wire();
  applyFilters();
  followScrolling();
  openAddressed();
}

start();
