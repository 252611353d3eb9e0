// Make elements from plain values: text only ever becomes text, and a link only ever leads to a web page.

const find = (selector, from = document) => from.querySelector(selector);
const findAll = (selector, from = document) => [...from.querySelectorAll(selector)];

function make(tag, settings = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(settings)) {
    if (name === 'class') element.className = value;
    else if (name === 'onclick') element.addEventListener('click', value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== ''));
  return element;
}

function button(settings, ...children) {
  return make('button', { type: 'button', ...settings }, ...children);
}

function webLink(url, ...children) {
  if (!/^https?:\/\//.test(url)) return null;
  return make('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, ...children);
}

function say(key, values = {}) {
  return data.words[key].replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// What the linker, a run or a lab says is English; a page in another language says so, and so does its markup.
function english(text) {
  return [document.documentElement.lang === 'en' ? null : say('in english'), make('span', { lang: 'en' }, text)];
}

function announce(text) {
  find('#said').textContent = text;
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

// Where the clipboard may not be written to, the older command still may.
function copyBySelection(text) {
  const field = make('textarea', { class: 'unseen', 'aria-hidden': 'true', readonly: true });
  const focused = document.activeElement;
  field.value = text;
  document.body.append(field);
  field.select();
  let done = false;
  try {
    done = document.execCommand('copy');
  } catch {
    done = false;
  }
  field.remove();
  focused?.focus({ preventScroll: true });
  return done;
}

function copyButton(text) {
  const label = make('span', {}, say('copy'));
  const element = button({ class: 'quiet copy', 'aria-label': say('copy what', { text }) }, label);
  element.addEventListener('click', async () => {
    const words = say((await copyText(text)) ? 'copied' : 'not copied');
    label.textContent = words;
    announce(words);
    setTimeout(() => (label.textContent = say('copy')), 1600);
  });
  return element;
}

// Storage may be forbidden for files; the page then forgets, and nothing else changes.
function remembered(key) {
  try {
    return localStorage.getItem(`fxanchor.${key}`);
  } catch {
    return null;
  }
}

function remember(key, value) {
  try {
    localStorage.setItem(`fxanchor.${key}`, value);
  } catch {
    // Nothing to do: see above.
  }
}

const data = JSON.parse(find('#data').textContent);
