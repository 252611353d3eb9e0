// The right side: all concepts, or one of them with its source, breakpoints, model and words.

const FIRST_STOPS = 3;

function isProven(concept) {
  const definition = data.definitions[concept.symbol];
  return Boolean(definition && definition.stops.some((stop) => stop.proof === 'hit'));
}

function badge(status) {
  return make('span', { class: `badge ${status}` }, say(status));
}

function part(title, ...children) {
  return make('section', { class: 'part' }, make('h3', {}, title), ...children);
}

function isCode(concept) {
  return !concept.phrase;
}

function nameOf(concept) {
  return isCode(concept) ? make('code', {}, concept.name) : concept.name;
}

// ---- all concepts

function overview(groups, choose) {
  const purpose = data.purpose.length
    ? make('figure', { class: 'purpose' },
        make('figcaption', {}, say('problem')), data.purpose.map(quotation)) : null;
  const body = groups.map(({ title, entries, folded }) => conceptGroup(title, entries, folded, choose));
  return make('article', { class: 'overview' },
    make('h2', { tabindex: '-1' }, say('overview')), make('p', { class: 'lead' }, say('how to')), purpose, body);
}

function conceptGroup(title, entries, folded, choose) {
  const list = make('ul', { class: 'concepts' }, entries.map((entry) => conceptEntry(entry, choose)));
  if (!folded) return make('section', { class: 'part' }, make('h3', {}, title), list);
  return make('details', { class: 'part folded' }, make('summary', {}, `${title} (${entries.length})`), list);
}

function conceptEntry({ concept, number, count }, choose) {
  const shown = count === 1 ? say('mention') : say('mentions', { count });
  const facts = [badge(concept.status), make('span', { class: 'muted' }, shown)];
  if (isProven(concept)) facts.push(make('span', { class: 'proof hit' }, say('proven')));
  return make('li', {}, button({ class: 'concept', onclick: () => choose(number) },
    make('span', { class: 'name' }, nameOf(concept)), make('span', { class: 'facts' }, facts)));
}

// ---- one concept

function conceptArticle(concept, mention, walk) {
  const definition = data.definitions[concept.symbol];
  return make('article', { class: 'concept-article' },
    conceptHead(concept, mention, walk),
    mention ? part(say('here'), mentionQuote(mention)) : null,
    definition ? sourcePart(definition) : null,
    definition ? stopsPart(definition) : null,
    definition && definition.stops.length ? modelsPart(definition) : null,
    definition && definition.quotes.length ? part(say('paper says'), definition.quotes.map(quotation)) : null,
    definition && definition.raises.length ? raisesPart(definition) : null,
    definition && definition.lab ? labPart(definition.lab) : null);
}

// A docstring marks code by backticks.
function withCode(text) {
  return text.split(/`+/).map((words, at) => (at % 2 ? make('code', {}, words) : words));
}

function printedArticle(concept) {
  const definition = data.definitions[concept.symbol];
  return make('article', { class: 'concept-article' },
    conceptHead(concept, null, null),
    definition.quotes.length ? part(say('paper says'), definition.quotes.map(quotation)) : null,
    sourcePart(definition, printedLines(definition)),
    stopsPart(definition),
    definition.raises.length ? raisesPart(definition) : null);
}

function printedModels() {
  return data.models.map((model) => part(say('your model'), modelCode(model, new Set()).flat()));
}

function conceptHead(concept, mention, walk) {
  const facts = [badge(mention ? mention.status : concept.status)];
  if (concept.kind) facts.push(make('span', { class: 'muted' }, concept.kind));
  const definition = data.definitions[concept.symbol];
  const reason = (mention && mention.reason) || concept.reason;
  return make('header', {},
    make('p', { class: 'facts' }, facts, walk),
    make('h2', { tabindex: '-1' }, nameOf(concept)),
    concept.public && concept.public !== concept.name ? make('p', { class: 'public' }, make('code', {}, concept.public)) : null,
    definition && definition.doc ? make('p', { class: 'doc' }, withCode(definition.doc)) : null,
    reason ? make('p', { class: 'reason' }, english(reason)) : null,
    concept.also.length
      ? make('p', { class: 'muted' }, `${say('also could be')}: `, concept.also.map((name) => make('code', {}, name))) : null);
}

function placeWords({ section, page, line }) {
  return say(section ? 'place' : 'place without section', { section, page, line });
}

function quotation(quote) {
  return make('blockquote', {}, make('p', {}, quote.text), make('cite', {}, placeWords(quote)));
}

function mentionQuote(mention) {
  const at = mention.context.indexOf(mention.surface);
  const words = at < 0 ? [mention.context] : [mention.context.slice(0, at),
    make('mark', { class: mention.status }, mention.surface), mention.context.slice(at + mention.surface.length)];
  return make('blockquote', { class: mention.where === 'listing' ? 'current listing' : 'current' }, make('p', {}, words), make('cite', {}, placeWords(mention)));
}

function stopsPart(definition) {
  if (!definition.stops.length) return null;
  const items = definition.stops.map(stopItem);
  const rest = items.slice(FIRST_STOPS);
  return part(say('breakpoints'), make('ul', { class: 'stops' }, items.slice(0, FIRST_STOPS)),
    rest.length ? make('details', { class: 'folded' },
      make('summary', {}, say('more breakpoints', { count: rest.length })), make('ul', { class: 'stops' }, rest)) : null);
}

function stopItem(stop) {
  const command = `b ${stop.file}:${stop.line}`;
  const head = make('div', { class: 'stop-head' },
    make('span', { class: 'stop-name' }, stop.name), proofWords(stop));
  const line = stop.line
    ? make('div', { class: 'command' }, make('code', {}, command), copyButton(command)) : null;
  const reason = stop.reason ? make('p', { class: 'muted' }, english(stop.reason)) : null;
  return make('li', {}, head, line, reason, triggerWords(stop), seenTable(stop.seen));
}

function proofWords(stop) {
  if (stop.proof === 'hit') {
    const count = stop.hits === 1 ? say('hit') : say('hits', { count: stop.hits });
    return make('span', { class: 'proof hit' }, `${say('proven')}: ${count}`);
  }
  return make('span', { class: 'proof' }, say(stop.proof || 'unproven'));
}

function triggerWords(stop) {
  const trigger = stop.trigger == null ? null : data.models[stop.model].triggers[stop.trigger];
  if (!trigger) return null;
  return make('p', { class: 'set-off' }, `${say('set off by')} `,
    make('code', {}, `${trigger.file}:${trigger.line}`), ' ', make('code', { class: 'lit' }, trigger.expression));
}

function seenTable(seen) {
  if (!seen.length) return null;
  const rows = seen.map(([expression, value]) => make('tr', {},
    make('th', { scope: 'row' }, make('code', {}, expression)), make('td', {}, make('code', {}, value))));
  return make('table', { class: 'seen' }, make('caption', {}, say('seen')), make('tbody', {}, rows));
}

function sourcePart(definition, lines) {
  const place = make('code', {}, `${definition.file}:${definition.line}-${definition.end}`);
  const link = webLink(definition.url, say('permalink'));
  return part(say('code does'), make('p', { class: 'place' }, place, link ? ' · ' : null, link),
    definition.code.length ? definitionCode(definition, lines) : null);
}

function modelsPart(definition) {
  if (!data.models.length) return part(say('your model'), make('p', { class: 'muted' }, say('no model')));
  return data.models.map((model, number) => {
    const mine = definition.stops.filter((stop) => stop.model === number);
    const active = new Set(mine.map((stop) => stop.trigger).filter((trigger) => trigger != null));
    const reached = mine.some((stop) => stop.proof === 'hit');
    const unknown = mine.some((stop) => stop.proof === 'not watched') ? 'not known by' : 'not reached by';
    const words = say(reached ? 'not set off by' : unknown);
    const none = active.size || !mine.length ? null : make('p', { class: 'muted' }, words);
    const shown = model.files.length ? modelCode(model, active).flat() : make('p', {}, make('code', {}, model.name));
    return part(say('your model'), none, shown);
  });
}

function labPart(lab) {
  return part(say('try'),
    make('p', { class: 'statement' }, english(lab.statement)), make('p', { class: 'muted' }, say('said by', { who: lab.by })),
    make('div', { class: 'command' }, make('code', {}, lab.command), copyButton(lab.command)),
    make('details', { class: 'folded' },
      make('summary', {}, say('lab verdict', { torch: lab.torch })),
      make('p', {}, make('strong', {}, say(lab.verdict))),
      make('pre', { tabindex: '0' }, lab.output)));
}

function raisesPart(definition) {
  const items = definition.raises.map((one) => make('li', {},
    make('code', {}, one.exception), ' ', make('span', {}, one.message), ' ', make('span', { class: 'muted' }, one.at)));
  return part(say('gives up'), make('ul', { class: 'raises' }, items));
}
