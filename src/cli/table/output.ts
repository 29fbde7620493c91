/** Options of what is printed, which every command has. */
import type { OptionGroup } from '../option-types.ts';
import { ALL, MAIN } from './commands.ts';

export const OUTPUT: OptionGroup = {
  title: 'Output',
  rows: [
    { flags: '--json', perRun: true, about: 'one JSON document on stdout and nothing else', commands: ALL },
    { flags: '--map', perRun: true, about: 'show the arena over the steps', commands: MAIN },
    { flags: '-q, --quiet', perRun: true, about: 'errors only', commands: ALL },
    { flags: '-v, --verbose', perRun: true, about: 'every tensor and every note', commands: ALL },
    { flags: '--color', perRun: true, about: 'colour, whatever the terminal says', commands: ALL },
    { flags: '--no-color', perRun: true, about: 'no colour', commands: ALL },
    { flags: '--debug', perRun: true, about: 'show stack traces', commands: ALL },
  ],
};
