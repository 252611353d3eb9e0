// Source code with line numbers: of a definition with its stops, and of the model with its triggers.

function piece([kind, text]) {
  return kind ? make('span', { class: `t-${kind}` }, text) : text;
}

function codeBox(label, rows) {
  return make('div', { class: 'code', tabindex: '0', role: 'group', 'aria-label': label }, make('ol', {}, rows));
}

const PRINTED_HEAD = 8;
const PRINTED_AROUND = 3;

// On paper, room is for the head and for what is around the stops.
function printedLines(definition) {
  const stops = definition.stops.filter((stop) => stop.file === definition.file).map((stop) => stop.line);
  const kept = definition.code.filter(([number], at) =>
    number && (at < PRINTED_HEAD || stops.some((line) => Math.abs(line - number) <= PRINTED_AROUND)));
  return kept.flatMap((line, at) => {
    const left = at ? line[0] - kept[at - 1][0] - 1 : 0;
    return left ? [[0, left], line] : [line];
  });
}

function definitionCode(definition, lines = definition.code) {
  const stops = new Map();
  for (const stop of definition.stops) {
    if (stop.file === definition.file && stops.get(stop.line) !== 'hit') stops.set(stop.line, stop.proof);
  }
  const rows = lines.map(([number, content]) => {
    if (number === 0) return make('li', { class: 'gap' }, say('left out', { count: content }));
    const proof = stops.get(number);
    const dot = proof === undefined ? null : stopDot(proof);
    const settings = { class: proof === undefined ? 'row' : 'row stop' };
    return make('li', settings, lineOf(gutter(number, dot), content.map(piece)));
  });
  return codeBox(`${definition.file}:${definition.line}-${definition.end}`, rows);
}

function stopDot(proof) {
  const words = say(proof === 'hit' ? 'stops here' : 'would stop here');
  return make('span', { class: proof === 'hit' ? 'dot hit' : 'dot', role: 'img', 'aria-label': words, title: words });
}

function lineOf(numbered, shown) {
  return make('div', { class: 'line' }, numbered, make('code', {}, shown));
}

function gutter(number, ...extra) {
  return make('span', { class: 'gutter' }, ...extra, make('span', { class: 'number' }, String(number)));
}

function modelCode(model, active) {
  return model.files.map((file) => {
    const rows = file.lines.map((pieces, at) => modelRow(model, file.file, pieces, at + 1, active));
    return [make('p', { class: 'place' }, make('code', {}, file.file)), codeBox(file.file, rows)];
  });
}

function modelRow(model, file, pieces, number, active) {
  const here = model.triggers.map((trigger, at) => ({ trigger, at }));
  const begun = here.filter(({ trigger }) => trigger.file === file && trigger.line === number);
  const row = make('li', { class: 'row' });
  const shown = pieces.map((one) => modelPiece(model, one, active));
  row.append(lineOf(begun.length ? triggerGutter(row, number, begun) : gutter(number), shown));
  if (pieces.some(([, , over]) => over.some((at) => active.has(at)))) row.classList.add('active');
  return row;
}

function modelPiece(model, [kind, text, over], active) {
  if (!over.length) return piece([kind, text]);
  const classes = ['trigger'];
  if (over.some((at) => active.has(at))) classes.push('lit');
  if (over.some((at) => model.triggers[at].blocks.length)) classes.push('blocked');
  if (kind) classes.push(`t-${kind}`);
  return make('span', { class: classes.join(' ') }, text);
}

// The number of a line that set something off opens a note below the line.
function triggerGutter(row, number, begun) {
  const expression = begun.reduce((longest, { trigger }) =>
    trigger.expression.length > longest.length ? trigger.expression : longest, '');
  const label = say('trigger of', { line: number, expression });
  const blocks = begun.some(({ trigger }) => trigger.blocks.length);
  const opener = button({ class: blocks ? 'number blocks' : 'number', 'aria-expanded': 'false', 'aria-label': label, title: label }, String(number));
  opener.addEventListener('click', () => {
    const open = opener.getAttribute('aria-expanded') === 'true';
    opener.setAttribute('aria-expanded', String(!open));
    if (open) find('.note', row).remove();
    else row.append(triggerNote(begun));
  });
  return make('span', { class: 'gutter' }, opener);
}

function triggerNote(begun) {
  const items = begun.map(({ trigger }) => {
    const nodes = trigger.nodes.map((node) =>
      make('li', {}, make('code', {}, node.name), ' ', make('span', { class: 'muted' }, `${node.does} · `, make('span', { lang: 'en' }, node.by))));
    const first = trigger.first.length
      ? make('p', { class: 'muted' }, `${say('first to reach')}: ${trigger.first.join(', ')}`) : null;
    const blocks = trigger.blocks.map(({ why, silent }) =>
      make('p', { class: 'blocks' }, make('strong', {}, say(silent ? 'silent' : 'blocks')), ' ', english(why)));
    return make('div', {}, make('p', {}, make('code', {}, trigger.expression)), make('ul', {}, nodes), first, blocks);
  });
  return make('div', { class: 'note' }, items);
}
