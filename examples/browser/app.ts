/** The page: takes a model, has the worker plan it, shows what comes back. */
import type { Answer, Question } from './messages.ts';

const byId = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const form = byId<HTMLFormElement>('form');
const plan = byId<HTMLButtonElement>('plan');
const stop = byId<HTMLButtonElement>('stop');

interface Dropped {
  readonly name: string;
  readonly bytes: Uint8Array;
}

let dropped: Dropped | undefined;
let worker: Worker | undefined;
let links: string[] = [];

/** A worker has no file to come from: its script lies in the page. */
function startWorker(): Worker {
  const script = new Blob([byId('worker').textContent ?? ''], { type: 'text/javascript' });
  const url = URL.createObjectURL(script);
  const started = new Worker(url);
  URL.revokeObjectURL(url);
  started.addEventListener('message', ({ data }: MessageEvent<Answer>) => show(data));
  started.addEventListener('error', ({ message }) =>
    show({ kind: 'refused', diagnostics: [{ code: 'E_INTERNAL', text: message, hint: null }] }),
  );
  return started;
}

function ask(): void {
  if (dropped === undefined) return;
  say(`Planning ${dropped.name} ...`);
  byId('refused').replaceChildren();
  stop.hidden = false;
  endWorker();
  worker = startWorker();
  const question: Question = {
    ...dropped,
    target: byId<HTMLInputElement>('target').value.trim(),
    sizes: byId<HTMLInputElement>('sizes').value,
  };
  worker.postMessage(question);
}

function endWorker(): void {
  worker?.terminate();
  worker = undefined;
}

function show(answer: Answer): void {
  if (answer.kind === 'progress') {
    say(`Planning ${dropped?.name}: ${answer.doing} ...`);
    return;
  }
  endWorker();
  stop.hidden = true;
  byId('result').hidden = answer.kind === 'refused';
  if (answer.kind === 'refused') {
    say(`No plan for ${dropped?.name}.`);
    byId('refused').replaceChildren(...answer.diagnostics.map(refusal));
    return;
  }
  say(answer.fits ? `${dropped?.name} is planned.` : `${dropped?.name} does not fit.`);
  byId<HTMLIFrameElement>('report').srcdoc = answer.page;
  for (const link of links) URL.revokeObjectURL(link);
  links = [];
  byId('files').replaceChildren(...answer.files.map(({ name, text }) => download(name, text)));
}

function refusal({ code, text, hint }: { code: string; text: string; hint: string | null }): HTMLElement {
  const paragraph = document.createElement('p');
  const strong = document.createElement('strong');
  strong.textContent = code;
  paragraph.append(strong, ` ${text}`);
  if (hint !== null) {
    const more = document.createElement('span');
    more.className = 'hint';
    more.textContent = hint;
    paragraph.append(more);
  }
  return paragraph;
}

function download(name: string, text: string): HTMLElement {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  links.push(link.href);
  link.download = name;
  link.textContent = name;
  return link;
}

function say(text: string): void {
  byId('status').textContent = text;
}

async function take(file: File | undefined): Promise<void> {
  if (file === undefined) return;
  use({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
}

function use(model: Dropped): void {
  dropped = model;
  plan.disabled = false;
  ask();
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  ask();
});
stop.addEventListener('click', () => {
  endWorker();
  stop.hidden = true;
  say('Stopped.');
});
byId('file').addEventListener('change', ({ target }) => void take((target as HTMLInputElement).files?.[0]));
byId('example').addEventListener('click', () => {
  const text = atob(byId('model').textContent ?? '');
  use({ name: 'kws.onnx', bytes: Uint8Array.from(text, (character) => character.charCodeAt(0)) });
});

addEventListener('dragover', (event) => {
  event.preventDefault();
  document.body.classList.add('over');
});
addEventListener('dragleave', ({ relatedTarget }) => {
  if (relatedTarget === null) document.body.classList.remove('over');
});
addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('over');
  void take(event.dataTransfer?.files[0]);
});
