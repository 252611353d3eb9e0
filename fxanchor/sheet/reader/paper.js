// The left side: the pages, with a button over every mention.

function putMarks(choose) {
  return data.mentions.map((mention, at) => {
    const areas = mention.areas.filter(([page]) => find(`#page-${page} .marks`));
    if (!areas.length) return null;
    const element = markOf(mention, () => choose(at));
    // What runs over several lines is one button for the keyboard, with a part on every line for the eye.
    element.parts = areas.map((area, line) => {
      const part = line ? make('span', { class: `mark ${mention.status}`, 'aria-hidden': 'true', onclick: () => choose(at) }) : element;
      putAt(part, area);
      return part;
    });
    return element;
  });
}

function putAt(element, [page, left, top, width, height]) {
  element.style.left = `${left}%`;
  element.style.top = `${top}%`;
  element.style.width = `${width}%`;
  element.style.height = `${height}%`;
  find(`#page-${page} .marks`).append(element);
}

function eachPart(mark, change) {
  mark?.parts.forEach(change);
}

function markOf(mention, onclick) {
  const concept = data.concepts[mention.concept];
  const label = say('mention of',
    { name: labelled(mention.surface, concept.name), status: say(mention.status), page: mention.page, line: mention.line });
  return button({ class: `mark ${mention.status}`, 'aria-label': label, title: label, onclick });
}

function labelled(surface, name) {
  return surface === name ? name : `${surface} (${name})`;
}

// Scroll the pages so that a mark stands in their upper part; one that is comfortably in view stays where it is.
function bringIntoView(pane, mark) {
  const frame = pane.getBoundingClientRect();
  const box = mark.getBoundingClientRect();
  const visible = box.top > frame.top + 24 && box.bottom < frame.bottom - 24
    && box.left > frame.left && box.right < frame.right;
  if (visible) return;
  pane.scrollTop += box.top - frame.top - pane.clientHeight * 0.35;
  pane.scrollLeft += box.left - frame.left - (pane.clientWidth - box.width) / 2;
}

// Which visible mark is nearest to the line at which one reads, a third down the pane.
function nearestMark(pane, marks) {
  const frame = pane.getBoundingClientRect();
  const line = frame.top + frame.height * 0.35;
  let best = -1;
  let distance = frame.height * 0.4;
  marks.forEach((mark, at) => {
    if (!mark || mark.hidden) return;
    const box = mark.getBoundingClientRect();
    const away = Math.abs((box.top + box.bottom) / 2 - line);
    if (away < distance) [best, distance] = [at, away];
  });
  return best;
}
