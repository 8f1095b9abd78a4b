import { mount } from 'svelte';
import App from './App.svelte';
import { createEngine } from './engine/engine';
import './style.css';

const target = document.getElementById('app') as HTMLElement;

createEngine().then(
  (engine) => {
    target.replaceChildren();
    mount(App, { target, props: { engine } });
  },
  (reason: unknown) => {
    const note = document.createElement('p');
    note.setAttribute('role', 'alert');
    note.textContent = `The engine does not start in this browser: ${String(reason)}`;
    target.replaceChildren(note);
  },
);
