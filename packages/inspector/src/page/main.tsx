import { effect } from '@preact/signals';
import { render } from 'preact';
import { followAddress } from './address.ts';
import { App } from './app.tsx';
import { listenToKeys } from './keys.ts';
import { loadInspection, source, theme } from './state.ts';

const home = document.getElementById('app');
effect(() => {
  document.documentElement.dataset.theme = theme.value;
});
if (home !== null) {
  home.textContent = '';
  render(<App />, home);
}
listenToKeys();
void loadInspection().then(followAddress);
source.watch?.(() => void loadInspection());
