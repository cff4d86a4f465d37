#!/usr/bin/env node
// The sandbox for people: always the same port. What is asked for comes after it.
process.argv.splice(2, 0, '--human', '--port', '4010');
await import('./sandbox/main.mjs');
