import type { IDataObject } from 'n8n-workflow';
import { agent, reference, text } from '../engine/fields';
import { fromRequest, operation, read, resource, type Schema } from '../engine/operation';
import {
	guideline,
	note,
	procedureFields,
	procedureSteps,
	replacing,
	replacingAll,
	trainingItem,
} from '../shared/agentParts';
import { addedTo } from './addedPart';

const procedure = reference('searchAgentProcedures', { name: 'procedure' });

const item = reference('searchAgentTraining', { name: 'trainingItem' });

/** The text identifies a guideline or note; the response is the agent, which holds it (interface §4.1). */
const tracedIn = (inside: 'guidelines' | 'notes') => ({
	in: read('GET /agents/{uuid}', { uuid: fromRequest('uuid') }),
	inside,
	content: (part: IDataObject) => String(part.content).trim(),
});

export const agentKnowledge = resource({
	label: 'Agent Knowledge',
	value: 'agentKnowledge',
	path: { uuid: agent(), procedureUuid: procedure, trainingUuid: item },
	partOf: 'agent',
	unsupported: ['Agent Knowledge Base', 'Memorize'],
	defaultOperation: 'addNote',
	operations: {
		addGuideline: operation.create('POST /agents/{uuid}/guidelines', {
			description: 'Add one short rule that applies to every reply; existing guidelines are kept',
			inOrder: true,
			body: guideline,
			recover: addedTo(tracedIn('guidelines')),
			simplify: ['agent_uuid', 'guidelines'],
		}),
		addNote: operation.create('POST /agents/{uuid}/notes', {
			description:
				'Add one fact for all conversations, not about one customer. Adding the same note again makes a second one.',
			body: note,
			recover: addedTo(tracedIn('notes')),
			simplify: ['agent_uuid', 'notes'],
		}),
		addProcedure: operation.create('POST /agents/{uuid}/procedures', {
			description: 'Add step-by-step instructions for a situation; existing procedures are kept',
			inOrder: true,
			body: procedureFields({ top: true }),
			simplify: ['agent_uuid', 'procedures'],
		}),
		addTrainingItem: operation.create('POST /agents/{uuid}/training', {
			description:
				'Add a customer question with its ideal answer; existing training items are kept',
			body: trainingItem,
			simplify: ['agent_uuid', 'training'],
		}),
		deleteGuideline: operation.remove('DELETE /agents/{uuid}/guidelines/{guidelineUuid}', {
			description: 'Remove one guideline; the others are kept',
			path: {
				guidelineUuid: reference('searchAgentGuidelines', 'The guideline to delete', {
					name: 'guideline',
				}),
			},
		}),
		deleteNote: operation.remove('DELETE /agents/{uuid}/notes/{noteUuid}', {
			description: 'Remove one note; the others are kept',
			path: {
				noteUuid: reference('searchAgentNotes', 'The note to delete', { name: 'note' }),
			},
		}),
		deleteProcedure: operation.remove('DELETE /agents/{uuid}/procedures/{procedureUuid}', {
			description: 'Remove one procedure with its steps; the others are kept',
		}),
		deleteTrainingItem: operation.remove('DELETE /agents/{uuid}/training/{trainingUuid}', {
			description: 'Remove one training item; the others are kept',
		}),
		replaceGuidelines: operation.update('PUT /agents/{uuid}/guidelines', {
			...replacingAll('guidelines'),
			body: { guidelines: replacing<Schema<'GuidelineWrite'>>('Guideline', guideline) },
			simplify: ['agent_uuid', 'guidelines'],
		}),
		replaceTraining: operation.update('PUT /agents/{uuid}/training', {
			action: 'Replace all training items of an agent',
			...replacingAll('training items', 'items'),
			body: { training: replacing<Schema<'TrainingItemWrite'>>('Training Item', trainingItem) },
			simplify: ['agent_uuid', 'training'],
		}),
		updateProcedure: operation.update('PATCH /agents/{uuid}/procedures/{procedureUuid}', {
			description: 'Change a procedure; steps you enter replace the existing ones',
			body: {
				name: text(),
				description: text('When the procedure applies', { rows: 2 }),
				steps: procedureSteps,
			},
			openBody: true,
			simplify: ['agent_uuid', 'procedures'],
		}),
		updateTrainingItem: operation.update('PATCH /agents/{uuid}/training/{trainingUuid}', {
			description: 'Change a customer question or its answer',
			body: {
				content: text('What a customer asks or says', { rows: 2, displayName: 'Question' }),
				intent: text('Your own key for what the customer wants'),
				response: text('The ideal answer', { rows: 3 }),
			},
			simplify: ['agent_uuid', 'training'],
		}),
	},
});
