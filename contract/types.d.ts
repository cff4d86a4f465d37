// Generated from openapi.yaml by `npm run contract`. Do not edit.
export interface paths {
	"/agents": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/**
		 * List agents
		 * @description Each item is the full agent with its sections, not a summary.
		 */
		get: operations["listAgents"];
		put?: never;
		/**
		 * Create an agent
		 * @description Accepts the whole agent in one call; an optional section is stored only when it is sent.
		 */
		post: operations["createAgent"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get an agent */
		get: operations["getAgent"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		/**
		 * Update an agent
		 * @description A collection section that is sent (notes, guidelines, procedures, training, routing_rules, guard_rules) replaces that whole section; absent sections stay.
		 */
		patch: operations["updateAgent"];
		trace?: never;
	};
	"/agents/{uuid}/notes": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Add one note to an agent
		 * @description A note is a passive reference fact consulted on demand. Existing notes are kept.
		 */
		post: operations["addAgentNote"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/guidelines": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		/**
		 * Replace all guidelines of an agent
		 * @description Replaces the whole section.
		 */
		put: operations["replaceAgentGuidelines"];
		/**
		 * Add one guideline to an agent
		 * @description A guideline is one short do/don't rule consulted on every reply. Existing guidelines are kept.
		 */
		post: operations["addAgentGuideline"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/webhooks": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** List the webhooks of an agent */
		get: operations["listAgentWebhooks"];
		put?: never;
		/**
		 * Add a webhook to an agent
		 * @description At most five per agent; the sixth is refused with 409 webhook_limit_reached.
		 */
		post: operations["addAgentWebhook"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/webhooks/{webhookUuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				webhookUuid: string;
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		/** Delete a webhook of an agent */
		delete: operations["deleteAgentWebhook"];
		options?: never;
		head?: never;
		/** Update a webhook of an agent */
		patch: operations["updateAgentWebhook"];
		trace?: never;
	};
	"/agents/{uuid}/voice-advanced": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/**
		 * Get the tuning fields of an agent's voice
		 * @description The supported fields depend on the selected voice; with no voice selected, fields is empty.
		 */
		get: operations["getAgentVoiceAdvanced"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		/** Update the tuning fields of an agent's voice */
		patch: operations["updateAgentVoiceAdvanced"];
		trace?: never;
	};
	"/agents/{uuid}/compliance": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get the compliance settings of an agent */
		get: operations["getAgentCompliance"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/voice": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get all voice settings of an agent */
		get: operations["getAgentVoice"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/interaction": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		/** Update the opening, silence and closing messages of an agent */
		patch: operations["updateAgentInteraction"];
		trace?: never;
	};
	"/agents/{uuid}/call-behavior": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		/** Update the call behaviour of an agent */
		patch: operations["updateAgentCallBehavior"];
		trace?: never;
	};
	"/agents/{uuid}/guidelines/{guidelineUuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				guidelineUuid: string;
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		/** Delete a guideline of an agent */
		delete: operations["deleteAgentGuideline"];
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/notes/{noteUuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				noteUuid: string;
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		/** Delete a note of an agent */
		delete: operations["deleteAgentNote"];
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/procedures": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Add one procedure to an agent
		 * @description Steps are optional.
		 */
		post: operations["addAgentProcedure"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/procedures/{procedureUuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				procedureUuid: string;
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		/**
		 * Delete a procedure of an agent
		 * @description Its steps go with it. Answers with the agent.
		 */
		delete: operations["deleteAgentProcedure"];
		options?: never;
		head?: never;
		/**
		 * Update a procedure of an agent
		 * @description Steps that are sent replace the procedure's steps; when absent they stay.
		 */
		patch: operations["updateAgentProcedure"];
		trace?: never;
	};
	"/agents/{uuid}/training": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		/** Replace all training items of an agent */
		put: operations["replaceAgentTraining"];
		/** Add one training item to an agent */
		post: operations["addAgentTrainingItem"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/training/{trainingUuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				trainingUuid: string;
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		/** Delete a training item of an agent */
		delete: operations["deleteAgentTrainingItem"];
		options?: never;
		head?: never;
		/** Update a training item of an agent */
		patch: operations["updateAgentTrainingItem"];
		trace?: never;
	};
	"/agents/{uuid}/appointments": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		/**
		 * Replace the appointment settings and schedule assignments of an agent
		 * @description Settings and assignments are replaced together.
		 */
		put: operations["replaceAgentAppointments"];
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/routing-rules": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		/**
		 * Replace all routing rules of an agent
		 * @description Destructive: the list that is sent becomes the whole set.
		 */
		put: operations["replaceAgentRoutingRules"];
		/**
		 * Add one routing rule to an agent
		 * @description Existing rules are kept. The target is an extension, a phone number or another agent.
		 */
		post: operations["addAgentRoutingRule"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/routing-rules/{ruleUuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				ruleUuid: string;
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		/**
		 * Delete a routing rule of an agent
		 * @description Permanent; to disable it, update is_active to false instead.
		 */
		delete: operations["deleteAgentRoutingRule"];
		options?: never;
		head?: never;
		/**
		 * Update a routing rule of an agent
		 * @description Only the fields sent change.
		 */
		patch: operations["updateAgentRoutingRule"];
		trace?: never;
	};
	"/agents/{uuid}/guard-rules": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		/**
		 * Replace all guard rules of an agent
		 * @description Destructive: the list that is sent becomes the whole set.
		 */
		put: operations["replaceAgentGuardRules"];
		/**
		 * Add one guard rule to an agent
		 * @description Existing rules are kept.
		 */
		post: operations["addAgentGuardRule"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/guard-rules/{ruleUuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				ruleUuid: string;
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		/** Delete a guard rule of an agent */
		delete: operations["deleteAgentGuardRule"];
		options?: never;
		head?: never;
		/**
		 * Update a guard rule of an agent
		 * @description Only the fields sent change. Whoever switches then_action sees to the matching destination or say_before fields.
		 */
		patch: operations["updateAgentGuardRule"];
		trace?: never;
	};
	"/agents/{uuid}/intents": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Create an intent of an agent */
		post: operations["createAgentIntent"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/intents/{intentUuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				intentUuid: string;
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		/** Update an intent of an agent */
		patch: operations["updateAgentIntent"];
		trace?: never;
	};
	"/agents/{uuid}/intents/{intentUuid}/event": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				intentUuid: string;
			};
			cookie?: never;
		};
		/** Get the action of an intent */
		get: operations["getAgentIntentEvent"];
		/**
		 * Set the action of an intent
		 * @description One action per intent; it is replaced. The result is a draft until it is published. 422 when the app is not connected or its connection is inactive; connections cannot be created over the API.
		 */
		put: operations["setAgentIntentEvent"];
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/intents/{intentUuid}/event/publish": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				intentUuid: string;
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Publish the action of an intent
		 * @description Makes the draft live.
		 */
		post: operations["publishAgentIntentEvent"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/analyzers/{internal_id}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description With a prefix: b_ built-in contact field, f_ custom contact field, p_ pipeline stage rule (interface §2.11). */
				internal_id: string;
			};
			cookie?: never;
		};
		get?: never;
		/**
		 * Update a contact analyzer
		 * @description For b_ analyzers only update_behavior can change; p_ analyzers do not use example_values.
		 */
		put: operations["updateContactAnalyzer"];
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/appointments": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/**
		 * List appointments
		 * @description Honours the caller's timezone.
		 */
		get: operations["listAppointments"];
		put?: never;
		/** Create an appointment */
		post: operations["createAppointment"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/appointments/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get an appointment */
		get: operations["getAppointment"];
		/** Update an appointment */
		put: operations["updateAppointment"];
		post?: never;
		/** Delete an appointment */
		delete: operations["deleteAppointment"];
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/appointments/{uuid}/status": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Set the status of an appointment */
		post: operations["setAppointmentStatus"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/appointment-requests": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List appointment requests */
		get: operations["listAppointmentRequests"];
		put?: never;
		/**
		 * Create an appointment request
		 * @description Starts as pending. Without contact_uuid the contact is found or created from contact_name and contact_email, which are needed then. Without end_time the duration comes from the schedule's availability type.
		 */
		post: operations["createAppointmentRequest"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/appointment-requests/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get an appointment request */
		get: operations["getAppointmentRequest"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/appointment-requests/{uuid}/cancel": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Cancel an appointment request */
		post: operations["cancelAppointmentRequest"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/channels/sip-trunk/connections": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Create a SIP trunk connection
		 * @description Its uuid is the connection_uuid that an agent's SIP trunk is assigned with. User name and password are never returned.
		 */
		post: operations["createSipTrunkConnection"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/channels/call/provision": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Bind a phone number to an agent for calls */
		post: operations["provisionAgentCallChannel"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/channels/call/sip-trunk": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Assign a SIP trunk connection to an agent for calls
		 * @description Without force a number already in use is refused (phone_in_use). With force inbound calls go to the agent bound last.
		 */
		post: operations["assignAgentSipTrunk"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/channels/sms": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Bind an owned number to an agent for SMS
		 * @description Replaces the agent's present SMS number; the number must be owned and able to do SMS.
		 */
		post: operations["assignAgentSmsNumber"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/builder-agents": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Start a build conversation
		 * @description Answers at once with status processing; then poll the conversation every 2 to 3 seconds.
		 */
		post: operations["startBuildConversation"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/builder-agents/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/**
		 * Get a build conversation
		 * @description Poll every 2 to 3 seconds while status is processing.
		 */
		get: operations["getBuildConversation"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/builder-agents/{uuid}/answers": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Answer the questions of a build conversation
		 * @description Valid only while status is gathering; 409 once deployed. Then poll again.
		 */
		post: operations["answerBuildConversation"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/builder-agents/{uuid}/approve": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Approve a build
		 * @description Valid while status is awaiting_approval. No body.
		 */
		post: operations["approveBuildConversation"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/builder-agents/{uuid}/rebuild": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Change a deployed or failed build */
		post: operations["rebuildBuildConversation"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/builders": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Create a builder from code */
		post: operations["createBuilder"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/builders/spending": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** Get the total spending of all builders */
		get: operations["getBuilderSpending"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/builders/{uuid}/start": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Start a builder */
		post: operations["startBuilder"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/builders/{uuid}/stop": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Stop a builder */
		post: operations["stopBuilder"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/builders/{uuid}/logs": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get the logs of a builder */
		get: operations["getBuilderLogs"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/builders/{uuid}/files": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get the files of a builder */
		get: operations["getBuilderFiles"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/builders/{uuid}/exec": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Run a command in a builder */
		post: operations["execInBuilder"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/builders/{uuid}/ssh": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Create SSH access to a builder */
		post: operations["createBuilderSsh"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/builders/{uuid}/ssh/recreate": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Recreate SSH access to a builder */
		post: operations["recreateBuilderSsh"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/calls/action/{uuid}/say": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Have the agent speak a text in a live call
		 * @description The path parameter is the conversation_uuid of the call. The answer confirms only that the action was dispatched.
		 */
		post: operations["sayInCall"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/calls/action/{uuid}/forward": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Forward a live call to another number
		 * @description The agent announces the transfer before the target is connected. The path parameter is the conversation_uuid of the call.
		 */
		post: operations["forwardCall"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/calls/action/{uuid}/hangup": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Hang up a live call after a goodbye
		 * @description Without a text the agent's end-of-call text is spoken. The path parameter is the conversation_uuid of the call.
		 */
		post: operations["hangUpCall"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/calls/action/{uuid}/mute": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Mute the agent in a live call
		 * @description Lasts until unmute. The path parameter is the conversation_uuid of the call.
		 */
		post: operations["muteCall"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/calls/action/{uuid}/unmute": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Let the agent speak again in a live call
		 * @description The path parameter is the conversation_uuid of the call.
		 */
		post: operations["unmuteCall"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/campaigns": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List campaigns */
		get: operations["listCampaigns"];
		put?: never;
		/** Create a campaign */
		post: operations["createCampaign"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/campaigns/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get a campaign */
		get: operations["getCampaign"];
		/**
		 * Update a campaign
		 * @description Every field is optional. Tasks already scheduled are not rebuilt.
		 */
		put: operations["updateCampaign"];
		post?: never;
		/** Delete a campaign */
		delete: operations["deleteCampaign"];
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/campaigns/{uuid}/pools": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Attach pools to a campaign
		 * @description Adds, never replaces. Pools already attached are skipped; unknown uuids come back in pool_uuids_not_found. With a running campaign tasks are created at once.
		 */
		post: operations["attachCampaignPools"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/campaigns/{uuid}/rule": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		/** Set the rule of a campaign */
		put: operations["setCampaignRule"];
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/coaching-agents": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Create a coaching agent
		 * @description Leaving out templates or examples seeds sample ones.
		 */
		post: operations["createCoachingAgent"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/coaching-agents/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		/**
		 * Update a coaching agent
		 * @description Only the fields sent change. coaching_templates, training_examples and resource_library each replace the stored list.
		 */
		patch: operations["updateCoachingAgent"];
		trace?: never;
	};
	"/coaching-agents/{uuid}/set-default": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Make a coaching agent the default */
		post: operations["setDefaultCoachingAgent"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/contacts": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List contacts */
		get: operations["listContacts"];
		put?: never;
		/**
		 * Create a contact
		 * @description Custom fields are sent as top-level keys; their values are strings. An unregistered key gives 422 and the error names the key.
		 */
		post: operations["createContact"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/contacts/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get a contact */
		get: operations["getContact"];
		/**
		 * Update a contact
		 * @description Only the keys sent change. An empty string or null clears a custom field.
		 */
		put: operations["updateContact"];
		post?: never;
		/** Delete a contact */
		delete: operations["deleteContact"];
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/contacts/{uuid}/blacklist": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Add a contact to the blacklist
		 * @description The contact's status becomes Blacklisted. expires_at is needed when is_permanent is false and must lie after today.
		 */
		post: operations["blacklistContact"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/contacts/{uuid}/add-tag": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Add a tag to a contact */
		post: operations["addContactTag"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/contacts/{uuid}/remove-tag": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Remove a tag from a contact */
		post: operations["removeContactTag"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/contacts/approvals": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List approvals of suggested contact changes */
		get: operations["listContactApprovals"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/contacts/fields": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List custom contact fields */
		get: operations["listContactFields"];
		put?: never;
		/** Create a custom contact field */
		post: operations["createContactField"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/contacts/fields/{key}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description The key of a custom contact field, unique and immutable. */
				key: string;
			};
			cookie?: never;
		};
		get?: never;
		/**
		 * Update a custom contact field
		 * @description Only the fields sent change. To use another key, delete the field and create a new one.
		 */
		put: operations["updateContactField"];
		post?: never;
		/** Delete a custom contact field */
		delete: operations["deleteContactField"];
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/conversations": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List conversations */
		get: operations["listConversations"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/conversations/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/**
		 * Get a conversation
		 * @description Carries the result of a call. Messages are not included.
		 */
		get: operations["getConversation"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/conversations/{uuid}/messages": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/**
		 * List the messages of a conversation
		 * @description Messages by the AI, by people and by the contact.
		 */
		get: operations["listConversationMessages"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/conversations/{uuid}/sessions": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** List the sessions of a conversation */
		get: operations["listConversationSessions"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/sessions/{uuid}/messages": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/**
		 * List the messages of a session
		 * @description Only messages inside that session's window.
		 */
		get: operations["listSessionMessages"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/sessions/{uuid}/evaluation": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get the evaluation of a session */
		get: operations["getSessionEvaluation"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/data/tables": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Create a table */
		post: operations["createTable"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/data/import/copypaste": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Create a table from text */
		post: operations["importTableText"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/data/import/file": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Create a table from a file */
		post: operations["importTableFile"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/data/import/website": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Create a table from a website */
		post: operations["importTableWebsite"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/data/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get a table */
		get: operations["getTable"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/data/{uuid}/fields": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get the columns of a table */
		get: operations["listTableFields"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/data/{uuid}/records": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** List the records of a table */
		get: operations["listTableRecords"];
		put?: never;
		/** Create a record in a table */
		post: operations["createTableRecord"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/data/{uuid}/records/{record}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				/** @description Identifies the record; whether it is a uuid is not shown. */
				record: string;
			};
			cookie?: never;
		};
		get?: never;
		/** Update a record of a table */
		put: operations["updateTableRecord"];
		post?: never;
		/** Delete a record of a table */
		delete: operations["deleteTableRecord"];
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/data/{uuid}/assign": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Connect a table to an agent */
		post: operations["assignTable"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/data/{uuid}/sync": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Refresh the index of a table */
		post: operations["syncTable"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/logs/actions": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List action executions */
		get: operations["listActionLogs"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/logs/actions/{type}/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				type: "task" | "workflow" | "intent";
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get one action execution */
		get: operations["getActionLog"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/email/messages": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Send an email */
		post: operations["sendEmail"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/evaluate/default": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** Get the default evaluation settings */
		get: operations["getDefaultEvaluateSettings"];
		/**
		 * Update the default evaluation settings
		 * @description Partial bodies are accepted.
		 */
		put: operations["updateDefaultEvaluateSettings"];
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/evaluate": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		/**
		 * Update the evaluation settings of an agent
		 * @description Partial bodies are accepted.
		 */
		put: operations["updateAgentEvaluateSettings"];
		post?: never;
		/**
		 * Delete the evaluation override of an agent
		 * @description The agent reverts to the workspace default (interface §3).
		 */
		delete: operations["deleteAgentEvaluateSettings"];
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/evaluate/assign": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Give an agent its own evaluation settings */
		post: operations["assignAgentEvaluateSettings"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agents/{uuid}/evaluate/reassign": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Overwrite an agent's evaluation settings with the default
		 * @description Replaces the override with a fresh copy of the present default. No body.
		 */
		post: operations["reassignAgentEvaluateSettings"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/evaluations": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List session evaluations */
		get: operations["listEvaluations"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/evaluations/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get an evaluation */
		get: operations["getEvaluation"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/listings": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List listings */
		get: operations["listListings"];
		put?: never;
		/**
		 * Create a listing
		 * @description Each contact is matched by phone_number, then by email; a match is updated, otherwise a contact is created. auto_start creates the tasks and starts the campaign.
		 */
		post: operations["createListing"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/listings/{uuid}/contacts": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Add contacts to a listing */
		post: operations["addListingContacts"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/listings/{uuid}/contacts/{contactUuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				contactUuid: string;
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		/** Remove a contact from a listing */
		delete: operations["removeListingContact"];
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/medias": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** Search medias by file name */
		get: operations["listMedias"];
		put?: never;
		/** Upload a file */
		post: operations["uploadMedia"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/medias/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/**
		 * Get a media
		 * @description The file itself is at data.url.
		 */
		get: operations["getMedia"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/call": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Start a call
		 * @description The conversation_uuid of the answer is the path parameter of every live call action.
		 */
		post: operations["startCall"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/calls": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List calls */
		get: operations["listCalls"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/calls/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get a call */
		get: operations["getCall"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/whatsapp/template": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Send a WhatsApp template message
		 * @description The template must be approved.
		 */
		post: operations["sendWhatsappTemplate"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/whatsapp/templates": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List WhatsApp templates */
		get: operations["listWhatsappTemplates"];
		put?: never;
		/**
		 * Create a WhatsApp template
		 * @description Submits it for approval, which usually takes 24 to 48 hours. Name plus language is unique inside one business account.
		 */
		post: operations["createWhatsappTemplate"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/whatsapp/templates/upload-media": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Upload header media for a WhatsApp template
		 * @description The handle goes into components[i].example.header_handle[0] of the template and expires after about 24 hours. media_type must fit the file, else 422.
		 */
		post: operations["uploadWhatsappTemplateMedia"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/whatsapp/wabas": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List the linked WhatsApp business accounts */
		get: operations["listWhatsappBusinessAccounts"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/whatsapp/template-settings": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Create a template setting
		 * @description Makes an approved template usable in campaigns.
		 */
		post: operations["createWhatsappTemplateSetting"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/sms/send": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Send an SMS */
		post: operations["sendSms"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/schedules": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List schedules */
		get: operations["listSchedules"];
		put?: never;
		/** Create a schedule */
		post: operations["createSchedule"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/schedules/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get a schedule */
		get: operations["getSchedule"];
		/** Update a schedule */
		put: operations["updateSchedule"];
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/tasks": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List tasks */
		get: operations["listTasks"];
		put?: never;
		/**
		 * Create a task
		 * @description One call or template message at a time. auto_queue queues it at once.
		 */
		post: operations["createTask"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/tasks/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get a task */
		get: operations["getTask"];
		/** Update a task */
		put: operations["updateTask"];
		post?: never;
		/** Delete a task */
		delete: operations["deleteTask"];
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/tasks/{uuid}/cancel": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Cancel a task */
		post: operations["cancelTask"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/tasks/{uuid}/queue": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Queue a task for execution
		 * @description The task is carried out, which costs money.
		 */
		post: operations["queueTask"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/tasks/{uuid}/retry": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Retry a failed task
		 * @description The task is carried out again, which costs money.
		 */
		post: operations["retryTask"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/transcriptions": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Hand in audio for transcription
		 * @description Asynchronous: answers as pending. One of voice_file and voice_url is given. The contact is looked up by customer_phone, then by customer_email.
		 */
		post: operations["createTranscription"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/transcriptions/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/**
		 * Get a transcription
		 * @description Its status; the transcript with messages and evaluations is at /transcript below it.
		 */
		get: operations["getTranscription"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/transcriptions/{uuid}/transcript": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/**
		 * Get a transcript
		 * @description With messages and evaluations.
		 */
		get: operations["getTranscript"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/analytics/calls": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/**
		 * Get call totals of a time window
		 * @description The authoritative call count, for the half-open window [from, to).
		 */
		get: operations["getCallAnalytics"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/analytics/sessions": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/**
		 * Get session metrics of a time window
		 * @description Over all channels.
		 */
		get: operations["getSessionAnalytics"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/analytics/messages": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** Export the messages of a time window */
		get: operations["exportMessages"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/analytics/conversations": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/**
		 * Get conversation totals
		 * @description Its totals exclude calls without a resolvable channel, so they can differ slightly from the call count.
		 */
		get: operations["getConversationAnalytics"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/analytics/evaluations": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** Get evaluation metrics */
		get: operations["getEvaluationAnalytics"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/flows": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List flows */
		get: operations["listFlows"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/flow/{uuid}/deploy": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Deploy a flow
		 * @description All steps must be active, that is tested.
		 */
		post: operations["deployFlow"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/flow/{uuid}/undeploy": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Take a deployed flow back to draft
		 * @description Needed before any edit of a deployed flow.
		 */
		post: operations["undeployFlow"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/flow/{uuid}/steps": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Add a step to a flow
		 * @description One trigger per flow, always step 1; an action needs the trigger first. A deployed flow answers 409.
		 */
		post: operations["addFlowStep"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/flow/{uuid}/steps/{step}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				step: string;
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		/**
		 * Update a step of a flow
		 * @description Switching the app clears trigger, action, config and connection. A deployed flow answers 409.
		 */
		patch: operations["updateFlowStep"];
		trace?: never;
	};
	"/flow/{uuid}/steps/{step}/test": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				step: string;
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Test a step of a flow
		 * @description A trigger fetches recent records as samples (404 when there is none); an action runs, writing actions only with live. Success with persist makes the step active.
		 */
		post: operations["testFlowStep"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/flow/apps": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List the apps usable in flows */
		get: operations["listFlowApps"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/flow/apps/{uid}/triggers": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description uid of an app. */
				uid: string;
			};
			cookie?: never;
		};
		/**
		 * List the triggers of an app
		 * @description Source of trigger_key.
		 */
		get: operations["listFlowAppTriggers"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/flow/apps/{uid}/actions": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description uid of an app. */
				uid: string;
			};
			cookie?: never;
		};
		/**
		 * List the actions of an app
		 * @description Source of action_key.
		 */
		get: operations["listFlowAppActions"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/flow/connections": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/**
		 * List the app connections
		 * @description Connections are made in the dashboard only.
		 */
		get: operations["listFlowConnections"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/outbound/summary": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** Get the sending pace settings */
		get: operations["getOutboundSummary"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/pools": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Create a contact pool
		 * @description Empty at first. FIFO takes pending items oldest first, LIFO newest first, Parallel several at once by priority.
		 */
		post: operations["createPool"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/pools/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		/**
		 * Update a contact pool
		 * @description All fields are optional.
		 */
		put: operations["updatePool"];
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/pools/{uuid}/duplicate": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Duplicate a contact pool */
		post: operations["duplicatePool"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/pools/{uuid}/contacts": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** List the contacts of a pool */
		get: operations["listPoolContacts"];
		put?: never;
		/**
		 * Add contacts to a pool
		 * @description Contacts already in the pool are skipped; unknown uuids come back in contact_uuids_not_found. Running campaigns of the pool get their tasks at once.
		 */
		post: operations["addPoolContacts"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/rules": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List rules */
		get: operations["listRules"];
		put?: never;
		/**
		 * Create a rule
		 * @description Type text forces both counts to 1 and empties retry interval, end_time and the escalation fields.
		 */
		post: operations["createRule"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/rules/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get a rule */
		get: operations["getRule"];
		/**
		 * Update a rule
		 * @description Only the fields sent change. Tasks already scheduled are not rebuilt.
		 */
		put: operations["updateRule"];
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/phone-numbers": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List the workspace's phone numbers */
		get: operations["listPhoneNumbers"];
		put?: never;
		/**
		 * Buy a phone number
		 * @description As the search gave it. 403 with data.error purchase_limit_reached when the workspace's cap is reached.
		 */
		post: operations["buyPhoneNumber"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/phone-numbers/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		/** Update the channel settings of a phone number */
		patch: operations["updatePhoneNumber"];
		trace?: never;
	};
	"/phone-numbers/{uuid}/release": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		put?: never;
		/** Release a bought phone number */
		post: operations["releasePhoneNumber"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/phone-numbers/{uuid}/channels": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get the channels of a phone number */
		get: operations["getPhoneNumberChannels"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/phone-numbers/channels": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** Get the channels of a phone number, by the number */
		get: operations["getPhoneNumberChannelsByNumber"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/phone-numbers/search": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** Search phone numbers to buy */
		get: operations["searchPhoneNumbers"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/phone-numbers/search/requirements": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** Get the compliance requirements of a country and number type */
		get: operations["getPhoneNumberRequirements"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/phone-numbers/rates": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List the rates of outbound calls */
		get: operations["listCallRates"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/phone-numbers/documents": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Upload a compliance document
		 * @description Gives the document_id that a purchase may need.
		 */
		post: operations["uploadPhoneNumberDocument"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/phone-numbers/trunks": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		/** List external trunks */
		get: operations["listTrunks"];
		put?: never;
		/**
		 * Register an outside number as a trunk
		 * @description One row per number and channel. Credentials are stored encrypted.
		 */
		post: operations["registerTrunk"];
		/**
		 * Delete an external trunk
		 * @description Only the binding goes; one call per channel.
		 */
		delete: operations["deleteTrunk"];
		options?: never;
		head?: never;
		/**
		 * Update an external trunk
		 * @description phone_number and channel name the row and cannot change.
		 */
		patch: operations["updateTrunk"];
		trace?: never;
	};
	"/phone-numbers/trunks/assign": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		/**
		 * Assign an external trunk to an agent
		 * @description Number, credentials and settings stay; one call per channel.
		 */
		put: operations["assignTrunk"];
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/pbx_extension_connectors": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Create a PBX extension connector
		 * @description Has an agent answer an extension of a telephone system.
		 */
		post: operations["createPbxConnector"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/pbx_extension_connectors/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get a PBX extension connector */
		get: operations["getPbxConnector"];
		put?: never;
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/qa-agents/{uuid}": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		/** Get a QA agent */
		get: operations["getQaAgent"];
		/**
		 * Update a QA agent (PUT)
		 * @description Behaves as PATCH, of which nothing else is known.
		 */
		put: operations["updateQaAgent"];
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		/** Update a QA agent */
		patch: operations["patchQaAgent"];
		trace?: never;
	};
	"/qa-agents/{uuid}/skills": {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		get?: never;
		/**
		 * Replace the skills of a QA agent
		 * @description The whole list; in the example the weights sum to 100.
		 */
		put: operations["replaceQaAgentSkills"];
		post?: never;
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
	"/agentic-search": {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		get?: never;
		put?: never;
		/**
		 * Ask a web-research question
		 * @description Answers with sources.
		 */
		post: operations["agenticSearch"];
		delete?: never;
		options?: never;
		head?: never;
		patch?: never;
		trace?: never;
	};
}
export type webhooks = Record<string, never>;
export interface components {
	schemas: {
		Envelope: {
			/** @example true */
			success?: boolean;
			/** @description For people; programs use the structured fields. */
			message?: string;
		};
		OpenAnswer: {
			success?: boolean;
			message?: string;
			data?: unknown;
		} & {
			[key: string]: unknown;
		};
		/** @description The fields are not shown. */
		OpenBody: {
			[key: string]: unknown;
		};
		Error: {
			/** @enum {boolean} */
			success: false;
			/** @description For people. */
			message: string;
			error: {
				code: string;
				details?: string;
				/** @description Only for validation errors. */
				field?: string;
				/** @description Seconds, with RATE_LIMIT_EXCEEDED. */
				retryAfter?: number;
			};
		};
		/** @description Beside data.items. The interface does not show its contents; the reference has current_page on the list of phone numbers, the catalogue the whole object on the call rates. */
		Pagination: {
			current_page?: number;
			last_page?: number;
			per_page?: number;
			total?: number;
			from?: number | null;
			to?: number | null;
			has_more?: boolean;
		};
		/** @description The paginator object under data; its rows are in data.data. */
		Page: {
			current_page?: number;
			last_page?: number;
			/** @description Not on every list. */
			per_page?: number;
			total?: number;
		};
		/**
		 * @description A date and time, ISO-8601. With an offset it is that exact instant; without one it is read in the caller's timezone (interface §2.1 rule 3).
		 * @example 2025-12-01T10:00:00+03:00
		 */
		Instant: string;
		/**
		 * @description A time of day, never shifted (interface §2.1 rule 4).
		 * @example 09:00
		 */
		TimeOfDay: string;
		/** @description Retrying the same request with the same key returns the same request, never a second call or message (interface §8 rule 3). */
		RequestKey: string;
		/** @enum {string} */
		AgentStatus: "pending" | "ready" | "in_progress" | "paused" | "completed";
		AgentWrite: {
			/** @description Also the fallback in the default inbound greeting. */
			name?: string;
			/** @description What the agent does; for people and tooling, not used by the runtime. */
			description?: string;
			/** @description How the agent introduces itself. */
			company_name?: string;
			role?: string;
			objective?: string;
			tone?: string;
			behavior_guidelines?: string;
			company_service?: string;
			topic?: string;
			/** @description Reply-length instruction. */
			length_detail?: string;
			interest_of_product?: string;
			/** @description Prompt field for hostile customers. */
			negative_response?: string;
			status?: components["schemas"]["AgentStatus"];
			custom_prompt?: string;
			/**
			 * @description Language code.
			 * @example en
			 */
			language?: string;
			speed?: string;
			/**
			 * @description IANA name.
			 * @example Europe/Istanbul
			 */
			timezone?: string;
			appointment_scheduling_enabled?: boolean;
			appointment_scheduling_randomly?: boolean;
			custom_llm_url?: string;
			settings?: {
				voice?: components["schemas"]["VoiceSettings"];
				text?: components["schemas"]["TextSettings"];
			};
			guidelines?: components["schemas"]["GuidelineWrite"][];
			notes?: components["schemas"]["NoteWrite"][];
			procedures?: components["schemas"]["ProcedureWrite"][];
			training?: components["schemas"]["TrainingItemWrite"][];
			appointments?: components["schemas"]["AgentAppointments"];
			routing_rules?: components["schemas"]["RoutingRuleWrite"][];
			guard_rules?: components["schemas"]["GuardRuleWrite"][];
		};
		Agent: {
			/** Format: uuid */
			agent_uuid?: string;
			name?: string;
			description?: string;
			company_name?: string;
			role?: string;
			objective?: string;
			tone?: string;
			behavior_guidelines?: string;
			company_service?: string;
			topic?: string;
			length_detail?: string;
			interest_of_product?: string;
			negative_response?: string;
			status?: components["schemas"]["AgentStatus"];
			custom_prompt?: string;
			language?: string;
			speed?: string;
			timezone?: string;
			appointment_scheduling_enabled?: boolean;
			appointment_scheduling_randomly?: boolean;
			custom_llm_url?: string;
			recommendations?: string;
			settings?: {
				voice?: components["schemas"]["VoiceSettings"];
				text?: components["schemas"]["TextSettings"];
				memorize?: {
					[key: string]: unknown;
				};
				evaluation?: {
					[key: string]: unknown;
				};
			};
			guidelines?: components["schemas"]["Guideline"][];
			notes?: components["schemas"]["Note"][];
			procedures?: components["schemas"]["Procedure"][];
			training?: components["schemas"]["TrainingItem"][];
			appointments?: components["schemas"]["AgentAppointments"];
			routing_rules?: components["schemas"]["RoutingRule"][];
			guard_rules?: components["schemas"]["GuardRule"][];
			intents?: components["schemas"]["Intent"][];
			webhooks?: components["schemas"]["AgentWebhook"][];
			phone_numbers?: components["schemas"]["AgentPhoneNumber"][];
			channels?: {
				[key: string]: unknown;
			}[];
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
		};
		/** @description For phone agents. */
		VoiceSettings: {
			interaction?: components["schemas"]["VoiceInteraction"];
			interruption?: {
				mode?: string;
				advanced?: components["schemas"]["InterruptionAdvanced"];
			};
			voice_profile?: components["schemas"]["VoiceProfile"];
			call_behavior?: components["schemas"]["CallBehaviorBasics"] & components["schemas"]["CallBehaviorSounds"];
			compliance?: components["schemas"]["Compliance"];
			normalizers?: {
				outbound?: {
					[key: string]: unknown;
				};
				inbound?: {
					[key: string]: unknown;
				};
			};
		};
		AgentVoice: {
			/**
			 * Format: uuid
			 * @description The agent's.
			 */
			uuid?: string;
			interaction?: components["schemas"]["VoiceInteraction"];
			interruption?: components["schemas"]["VoiceInterruption"];
			voice_profile?: components["schemas"]["VoiceProfile"];
			voice_advanced?: {
				/** @example 0.9 */
				stability?: number;
				/** @example 0.9 */
				similarity?: number;
				/** @example 0 */
				style?: number;
				/** @example 0.95 */
				speed?: number;
				speaker_boost?: boolean;
			} & {
				[key: string]: unknown;
			};
			call_behavior?: components["schemas"]["CallBehavior"];
			compliance?: components["schemas"]["Compliance"];
			normalizers?: {
				[key: string]: unknown;
			};
		};
		VoiceInteraction: {
			customer_speak_first?: boolean;
			inbound_first_message?: string;
			outbound_first_message?: string;
			voice_mail_message?: string;
			end_call_message?: string;
			silence_message?: string;
			/** @example 30 */
			max_silence_prompts?: number;
		};
		VoiceInterruption: {
			mode?: string;
			advanced?: components["schemas"]["InterruptionAdvanced"];
		};
		InterruptionAdvanced: {
			allow_interruptions?: boolean;
			preemptive_generation?: boolean;
			manual_word_count_interrupt?: boolean;
			resume_after_false_interruption?: boolean;
			/** @example 0.3 */
			min_endpointing_delay?: number;
			/** @example 1 */
			max_endpointing_delay?: number;
			/** @example 0.5 */
			min_interruption_duration?: number;
			/** @example 1 */
			min_interruption_words?: number;
			/** @example 2 */
			balanced_interrupt_word_count?: number;
			/** @example 2 */
			false_interruption_timeout?: number;
		};
		VoiceProfile: {
			/** @example en */
			language?: string;
			/** Format: uuid */
			voice_uuid?: string;
			voice_name?: string;
		};
		CallBehavior: components["schemas"]["CallBehaviorBasics"] & components["schemas"]["CallBehaviorSounds"];
		CallBehaviorSounds: {
			background_sound_ambience?: string;
			/** @example 0.3 */
			background_sound_volume?: number;
			noise_cancellation?: boolean;
		};
		CallBehaviorBasics: {
			audio_recording?: boolean;
			background_sound?: boolean;
			/**
			 * @description Seconds.
			 * @example 60
			 */
			silence_timeout_seconds?: number;
			/**
			 * @description Seconds.
			 * @example 1800
			 */
			max_call_duration_seconds?: number;
			max_call_duration_message?: string;
		};
		Compliance: {
			eu_gdpr_compliance?: boolean;
			hipaa_compliance?: boolean;
		};
		VoiceAdvanced: {
			/** Format: uuid */
			voice_uuid?: string;
			fields?: ({
				key?: string;
				value?: number | boolean;
			} & {
				[key: string]: unknown;
			})[];
		};
		/** @description Field key to new value; only keys that the read of the same path lists. */
		VoiceAdvancedWrite: {
			[key: string]: number | boolean | string;
		};
		/** @description For messaging agents. */
		TextSettings: {
			daily_limits?: {
				daily_max_messages_per_conversation?: number;
				daily_conversation_limit_exceeded_message?: string;
			};
			timing_and_delay?: {
				base_delay?: number;
				pause_before_reply?: number;
				typing_speed_char?: number;
				delay_jitter_min?: number;
				delay_jitter_max?: number;
				typing_speed_wpm_min?: number;
				typing_speed_wpm_max?: number;
			};
			typing_simulation?: {
				show_typing_indicator?: boolean;
				simulate_typing_breaks?: boolean;
				simulate_typos_corrections?: boolean;
			};
			working_hours?: {
				enabled?: boolean;
				/**
				 * @description A time in the form <h AM/PM>.
				 * @example 9 AM
				 */
				start?: string;
				/**
				 * @description A time in the form <h AM/PM>.
				 * @example 6 PM
				 */
				end?: string;
				/** @description IANA name. */
				timezone?: string;
				outside_hours_behavior?: string;
				offline_message?: string;
				during_hours_agent?: string;
			};
			handover?: {
				enabled?: boolean;
				handover_triggers?: string;
				handover_method?: string;
				assignment_strategy?: string;
				fallback_agent?: string;
				handover_message?: string;
				handover_timeout?: number;
				/** @description Minutes. */
				release_after_minutes?: number;
				release_channels?: string[];
			};
			confidence_controls?: {
				min_confidence_threshold?: number;
				ask_clarifying_questions?: boolean;
			};
			message_behavior?: {
				second_message_behavior?: {
					enabled?: boolean;
					chance?: number;
					delay_min?: number;
					delay_max?: number;
				};
				follow_up_behavior?: {
					enabled?: boolean;
					delay_min?: number;
					delay_max?: number;
				};
			};
			personality?: {
				use_response_variations?: boolean;
				use_punctuation_variation?: boolean;
				use_filler_words?: boolean;
				enable_small_talk?: boolean;
				emoji_usage?: string;
				energy_level?: string;
				empathy_level?: string;
			};
			advanced?: {
				split_messages?: boolean;
				simulate_message_editing?: boolean;
				use_memory_based_context?: boolean;
				human_first_mode?: boolean;
			};
			email?: {
				/** @description HTML. */
				signature?: string;
			};
		};
		GuidelineWrite: {
			/** @description One short do/don't rule. */
			content?: string;
			/** @example 0 */
			order?: number;
		};
		Guideline: {
			/** Format: uuid */
			uuid?: string;
			content?: string;
			order?: number;
		};
		GuidelinesReplace: {
			guidelines?: components["schemas"]["GuidelineWrite"][];
		};
		NoteWrite: {
			/** @description A passive reference fact. */
			content?: string;
			/** @example 0 */
			order?: number;
		};
		Note: {
			/** Format: uuid */
			uuid?: string;
			content?: string;
			order?: number;
		};
		ProcedureStep: {
			/** @example 1 */
			order?: number;
			description?: string;
			/** Format: uuid */
			intent_uuid?: string;
		};
		ProcedureWrite: {
			name?: string;
			description?: string;
			steps?: components["schemas"]["ProcedureStep"][];
		};
		Procedure: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			description?: string;
			steps?: components["schemas"]["ProcedureStep"][];
		};
		TrainingItemWrite: {
			/** @description A customer's question or utterance. */
			content?: string;
			/** @description A key, free text. */
			intent?: string;
			/** @description The ideal answer. */
			response?: string;
		};
		TrainingItem: {
			/** Format: uuid */
			uuid?: string;
			content?: string;
			intent?: string;
			response?: string;
		};
		TrainingReplace: {
			training?: components["schemas"]["TrainingItemWrite"][];
		};
		CustomQuestion: {
			name?: string;
			type?: string;
			description?: string;
			required?: boolean;
		};
		AgentAppointments: {
			enabled?: boolean;
			random_assignment?: boolean;
			schedule_assignments?: components["schemas"]["ScheduleAssignment"][];
		};
		ScheduleAssignment: {
			/** Format: uuid */
			schedule_uuid?: string;
			name?: string;
			/** @description When the schedule applies; used by the runtime AI. */
			description?: string;
			slot_rules?: {
				/**
				 * @description Like <n>_hours.
				 * @example 3_hours
				 */
				offer_slots_from?: string;
				/**
				 * @description Like <n>_hours.
				 * @example 6_hours
				 */
				book_slots_from?: string;
				/** @example 10 */
				max_appointments_per_day?: number;
				conflict_resolution_enabled?: boolean;
				/** @example 3 */
				alternative_slots_count?: number;
				suggestion_priority?: string;
				prefer_same_day?: boolean;
				prefer_same_time_slot?: boolean;
				include_same_week?: boolean;
			};
			rescheduling?: {
				policy?: string;
				/**
				 * @description Hours.
				 * @example 2
				 */
				minor_change_hours?: number;
				minor_change_same_day?: boolean;
				minor_change_same_week?: boolean;
				minor_change_same_slot?: boolean;
				/**
				 * @description Like <n>_hours.
				 * @example 2_hours
				 */
				min_rescheduling_notice?: string;
			};
			cancellation?: {
				/**
				 * @description Like <n>_hours.
				 * @example 24_hours
				 */
				min_cancellation_notice?: string;
				ai_can_cancel?: boolean;
				require_cancellation_reason?: boolean;
				cancellation_fee_policy?: string;
			};
			questions?: {
				inherit_from_schedule?: boolean;
				custom_questions?: components["schemas"]["CustomQuestion"][];
			};
			approval?: {
				require_approval?: boolean;
				/**
				 * @description Like <n>_hour.
				 * @example 1_hour
				 */
				approval_threshold?: string;
				approval_for_create?: boolean;
				approval_for_reschedule?: boolean;
				approval_for_cancel?: boolean;
				approval_for_notes?: boolean;
				notify_calendar_owner?: string;
				notify_admins?: string;
				/**
				 * @description Like <n>_min.
				 * @example 5_min
				 */
				expected_response_time?: string;
			};
		};
		RoutingRuleWrite: {
			/** @enum {string} */
			detection_mode?: "exact" | "intent" | "both";
			/** @description Needed when detection_mode is exact or both. */
			trigger_keyword?: string;
			/** @description A label for people. */
			department_name?: string;
			/** @description Sample utterances; three to five are advised. */
			phrases?: string[];
			/** @description Needed when detection_mode is intent or both; without it the rule cannot fire. */
			ai_prompt?: string;
			voice_response?: string;
			voice_on_error?: string;
			voice_on_success?: string;
			destination_type?: string;
			destination?: string;
			/** Format: uuid */
			destination_agent_uuid?: string;
			transfer_type?: string;
			transfer_config?: {
				[key: string]: unknown;
			};
			/** @description A lower number is evaluated earlier; default is the highest existing priority + 1. */
			priority?: number;
			is_active?: boolean;
		};
		RoutingRule: {
			/** Format: uuid */
			uuid?: string;
			detection_mode?: string;
			trigger_keyword?: string;
			department_name?: string;
			phrases?: string[];
			ai_prompt?: string;
			voice_response?: string;
			voice_on_error?: string;
			voice_on_success?: string;
			destination_type?: string;
			destination?: string;
			/** Format: uuid */
			destination_agent_uuid?: string;
			transfer_type?: string;
			transfer_config?: {
				[key: string]: unknown;
			};
			priority?: number;
			is_active?: boolean;
		};
		RoutingRulesReplace: {
			routing_rules?: components["schemas"]["RoutingRuleWrite"][];
		};
		GuardRuleWrite: {
			name?: string;
			/** @description A situation in plain language. */
			when_condition?: string;
			/** @description Three to five are advised. */
			example_phrases?: string[];
			/** @enum {string} */
			then_action?: "forward" | "end_conversation";
			/**
			 * @description An empty array is accepted on create.
			 * @default [
			 *       "phone"
			 *     ]
			 */
			selected_channels?: ("phone" | "instagram" | "whatsapp" | "facebook_messenger")[];
			/** @description Used with forward. */
			say_before_forwarding?: string;
			/** @description Used with end_conversation. */
			say_before_end?: string;
			destination_type?: string;
			/** @description Needed with forward unless destination_type is agent. */
			destination?: string;
			/**
			 * Format: uuid
			 * @description Needed when destination_type is agent.
			 */
			destination_agent_uuid?: string;
			is_active?: boolean;
			is_default?: boolean;
		};
		GuardRule: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			when_condition?: string;
			example_phrases?: string[];
			then_action?: string;
			selected_channels?: string[];
			say_before_forwarding?: string;
			say_before_end?: string;
			destination_type?: string;
			destination?: string;
			/** Format: uuid */
			destination_agent_uuid?: string;
			is_active?: boolean;
			is_default?: boolean;
		};
		GuardRulesReplace: {
			guard_rules?: components["schemas"]["GuardRuleWrite"][];
		};
		IntentParameter: {
			key?: string;
			default?: string;
			type?: string;
			required?: boolean;
		};
		IntentWebhook: {
			url?: string;
			/** @description The platform returns it. */
			auth_token?: string;
		};
		Intent: {
			/** Format: uuid */
			intent_uuid?: string;
			key?: string;
			name?: string;
			description?: string;
			recommendation_actions?: string;
			/** @example 0.7 */
			confidence_threshold?: number;
			is_system?: boolean;
			intent_llm_handle_by_response?: boolean;
			webhook?: components["schemas"]["IntentWebhook"];
			parameters?: components["schemas"]["IntentParameter"][];
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
		};
		IntentWrite: {
			name?: string;
			/** @description The name in snake case when left out. */
			key?: string | null;
			/** @description When the intent should trigger. */
			description?: string | null;
			recommendation_actions?: string | null;
			/**
			 * Format: float
			 * @example 0.7
			 */
			confidence_threshold?: number;
			intent_llm_handle_by_response?: boolean;
			webhook?: components["schemas"]["IntentWebhook"];
			parameters?: components["schemas"]["IntentParameter"][];
		};
		/** @enum {string} */
		IntentEventType: "webhook" | "app" | "scenario" | "agent";
		IntentEventWrite: {
			event_type?: components["schemas"]["IntentEventType"];
			/** @description For webhook. */
			webhook?: {
				url: string;
				auth_token?: string;
			};
			/** @description Needed for app. */
			app_uid?: string;
			/** @description Needed for app. */
			action_key?: string;
			/** @description For app. */
			config?: {
				[key: string]: unknown;
			};
			/**
			 * Format: uuid
			 * @description For external apps: a connected, active account; left out for built-in apps.
			 */
			app_connection_uuid?: string;
			/**
			 * Format: uuid
			 * @description Needed for scenario.
			 */
			flow_uuid?: string;
			/**
			 * Format: uuid
			 * @description Needed for agent.
			 */
			agent_uuid?: string;
			/**
			 * @description For agent.
			 * @enum {string}
			 */
			channel?: "call" | "whatsapp";
			/** @description For agent. */
			channel_action_name?: string;
		};
		/** @description Seen for an app event; the shape for the other types is not shown. */
		IntentEvent: {
			event_type?: components["schemas"]["IntentEventType"];
			/** @enum {string} */
			status?: "draft" | "deployed";
			app?: {
				uid?: string;
				name?: string;
				is_builtin?: boolean;
			};
			action?: {
				key?: string;
				name?: string;
			};
			/** Format: uuid */
			app_connection_uuid?: string | null;
			config?: {
				[key: string]: unknown;
			};
		} & {
			[key: string]: unknown;
		};
		/** @enum {string} */
		AgentEvent: "conversation_status" | "conversation_end_report" | "conversation_update" | "voice_evaluation" | "text_evaluation" | "intent_call";
		AgentWebhookUpdate: {
			/** Format: uri */
			url?: string;
			events?: components["schemas"]["AgentEvent"][];
			/** @description Signs payloads; never returned. */
			secret_key?: string | null;
			is_active?: boolean;
		};
		AgentWebhookWrite: {
			/** Format: uri */
			url: string;
			events: components["schemas"]["AgentEvent"][];
			/** @description Signs payloads; never returned. */
			secret_key?: string | null;
			/** @default true */
			is_active?: boolean;
		};
		AgentWebhook: {
			/** Format: uuid */
			webhook_uuid?: string;
			url?: string;
			events?: components["schemas"]["AgentEvent"][];
			is_active?: boolean;
			has_secret?: boolean;
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
		};
		/** @description A phone number as an agent carries it. */
		AgentPhoneNumber: {
			/** Format: uuid */
			phone_number_uuid?: string;
			number?: string;
			status?: string;
			country_code?: string;
			type?: string;
			capabilities?: {
				call?: boolean;
				sms?: boolean;
				whatsapp?: boolean;
				whatsapp_call?: boolean;
			};
		};
		ContactAnalyzerWrite: {
			/**
			 * @description dont_update ignores a found value; update_if_empty writes only an empty field; ask_approval_if_existing asks before replacing; manual_approval always asks; automatic_update writes at once.
			 * @enum {string}
			 */
			update_behavior?: "dont_update" | "update_if_empty" | "ask_approval_if_existing" | "manual_approval" | "automatic_update";
			analysis_goals?: string | null;
			/** @description Several values, one per line. */
			example_values?: string | null;
		};
		AppointmentCreate: {
			/** Format: uuid */
			schedule_uuid: string;
			title: string;
			start_time: components["schemas"]["Instant"];
			end_time: components["schemas"]["Instant"];
			/** Format: uuid */
			contact_uuid?: string;
			description?: string;
			status?: string;
			notes?: string;
			custom_answers?: {
				[key: string]: unknown;
			};
		};
		AppointmentUpdate: {
			title?: string;
			start_time?: components["schemas"]["Instant"];
			end_time?: components["schemas"]["Instant"];
			status?: string;
			notes?: string;
			description?: string;
		};
		AppointmentStatusWrite: {
			status?: string;
		};
		Appointment: {
			/** Format: uuid */
			uuid?: string;
			title?: string;
			/** Format: date-time */
			start_time?: string;
			/** Format: date-time */
			end_time?: string;
			status?: string;
			notes?: string | null;
			description?: string | null;
			schedule_uuid?: string | null;
			contact_uuid?: string | null;
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
		} & {
			[key: string]: unknown;
		};
		AppointmentRequestCreate: {
			/** Format: uuid */
			schedule_uuid: string;
			title: string;
			/** @description In the future. */
			start_time: components["schemas"]["Instant"];
			end_time?: components["schemas"]["Instant"];
			/**
			 * Format: uuid
			 * @description Needed unless contact details are sent.
			 */
			contact_uuid?: string;
			/** @description Needed without contact_uuid. */
			contact_name?: string;
			contact_surname?: string;
			/**
			 * Format: email
			 * @description Needed without contact_uuid.
			 */
			contact_email?: string;
			/**
			 * @description The reference's example has dashes.
			 * @example +1-555-0100
			 */
			contact_phone?: string;
			description?: string;
			notes?: string;
		};
		AppointmentRequest: {
			id?: number;
			/** Format: uuid */
			uuid?: string;
			title?: string;
			description?: string | null;
			/** Format: date-time */
			start_time?: string;
			/** Format: date-time */
			end_time?: string;
			status?: string;
			notes?: string | null;
			approval_note?: string | null;
			rejection_reason?: string | null;
			/** Format: date-time */
			approved_at?: string | null;
			/** Format: date-time */
			rejected_at?: string | null;
			/** @description Null while pending. */
			appointment?: {
				[key: string]: unknown;
			} | null;
			/** @description In the list. */
			schedule?: {
				id?: number;
				name?: string;
			};
			/** @description In the list. */
			contact?: {
				id?: number;
				/** Format: uuid */
				uuid?: string;
				name?: string;
				surname?: string;
				email?: string;
				phone_number?: string;
			};
			/** Format: date-time */
			created_at?: string;
		};
		CallChannelProvision: {
			/** Format: uuid */
			phone_number_uuid?: string;
		};
		SipTrunkAssign: {
			/** Format: uuid */
			connection_uuid: string;
			/** @default false */
			force?: boolean;
		};
		SipTrunkAssigned: {
			/** Format: uuid */
			agent_uuid?: string;
			/** Format: uuid */
			connection_uuid?: string;
			phone_number?: string;
		};
		SipTrunkConnectionCreate: {
			name: string;
			/** @description Stored as given. */
			phone_number: string;
			/** @description Host only. */
			gateway: string;
			/** @description Never returned. */
			username: string;
			/** @description Never returned. */
			password: string;
			secondary_gateway?: string | null;
		};
		SipTrunkConnection: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			phone_number?: string;
			gateway?: string;
			secondary_gateway?: string | null;
			status?: string;
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
		};
		BuildConversationStart: {
			prompt: string;
			/** @description Derived from the prompt when left out. */
			name?: string;
		};
		BuildConversationAnswer: {
			/** @description One free text may answer several questions. */
			message: string;
		};
		BuildConversationRebuild: {
			message: string;
			/**
			 * @description True: message replaces the stored prompt; false: the change is added to it.
			 * @default false
			 */
			replace_prompt?: boolean;
		};
		BuildConversation: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			status?: string;
			prompt?: string;
			message?: string | null;
			questions?: string[];
			/** @description Null while gathering. */
			builder?: components["schemas"]["Builder"] | (never | null);
			/** Format: date-time */
			created_at?: string;
		};
		BuilderCreate: {
			/**
			 * @description Lower-case letters, digits, dashes.
			 * @example my-api
			 */
			name: string;
			/**
			 * @description Start command; the app must listen on 0.0.0.0 at port.
			 * @example python3 main.py
			 */
			entrypoint: string;
			/** @description Relative path to file text; a requirements.txt is installed before the start. */
			files: {
				[key: string]: string;
			};
			/** @default 8000 */
			port?: number;
			/** @description Environment variables that are not secret. */
			env?: {
				[key: string]: string;
			};
			resources?: {
				/**
				 * @description vCPU.
				 * @default 1
				 */
				cpu?: number;
				/**
				 * @description GB.
				 * @default 1
				 */
				memory?: number;
				/**
				 * @description GB.
				 * @default 3
				 */
				disk?: number;
			};
			/** @enum {string} */
			job_type?: "always_on" | "one_time";
			/**
			 * @description Hours.
			 * @example 0
			 */
			backup_interval_hours?: number;
		};
		Builder: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			/** @description Resolves only while the builder is running. */
			preview_url?: string;
			service_token?: string;
			entrypoint?: string;
			port?: number;
			auto_stop_interval?: number;
			backup_interval_hours?: number;
			review_passed?: boolean;
			qa_passed?: boolean;
			cost?: {
				/** @example EUR */
				currency?: string;
				hourly_rate?: number;
				runtime_hours?: number;
				cost?: number;
			};
			/** Format: date-time */
			created_at?: string;
		};
		BuilderExec: {
			command: string;
			/**
			 * @description Seconds that the request waits for the command.
			 * @default 60
			 */
			timeout?: number;
		};
		BuilderExecResult: {
			exit_code?: number;
			output?: string;
		};
		BuilderSsh: {
			/**
			 * @description Minutes.
			 * @default 60
			 */
			expires_minutes?: number;
		};
		BuilderSshAccess: {
			ssh_command?: string;
			/** @description Not when recreated. */
			token?: string;
			/**
			 * Format: date-time
			 * @description Not when recreated.
			 */
			expires_at?: string;
		};
		BuilderSpending: {
			currency?: string;
			total_cost?: number;
			vm_count?: number;
			deployments?: {
				[key: string]: unknown;
			}[];
		};
		CallSay: {
			message: string;
			/** @default false */
			end_call_after_spoken?: boolean;
		};
		CallForward: {
			phone_number?: string;
		};
		CallHangUp: {
			/** @description The goodbye. */
			message?: string;
		};
		CampaignCreate: {
			name?: string;
			description?: string;
			status?: string;
			campaign_type?: string;
			/**
			 * @description A date and time, as on the update.
			 * @example 2025-06-01T00:00:00Z
			 */
			start_date?: string;
			/**
			 * @description A date and time, as on the update.
			 * @example 2025-08-31T23:59:59Z
			 */
			end_date?: string;
			agent_id?: number | string;
			agent_app_id?: number;
		};
		CampaignUpdate: {
			name?: string;
			description?: string | null;
			/** @enum {string} */
			status?: "Active" | "Draft" | "Completed" | "Archived";
			campaign_type?: string | null;
			/**
			 * @description A date and time, as Instant.
			 * @example 2025-06-01T00:00:00Z
			 */
			start_date?: string | null;
			/**
			 * @description A date and time, as Instant.
			 * @example 2025-08-31T23:59:59Z
			 */
			end_date?: string | null;
			agent_id?: (number | null) | string;
			/** @description In the older variant only. */
			agent_app_id?: number | null;
			rules?: {
				[key: string]: unknown;
			} | null;
		};
		Campaign: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			description?: string | null;
			status?: string;
			/** Format: date-time */
			start_date?: string | null;
			/** Format: date-time */
			end_date?: string | null;
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
		};
		CampaignPoolsAttach: {
			pool_uuids?: string[];
		};
		CampaignRuleSet: {
			/**
			 * Format: uuid
			 * @description The rule's type should match the campaign's channel.
			 */
			rule_uuid: string;
		};
		CoachingTemplate: {
			name?: string;
			scenario?: string;
			tone?: string;
			template?: string;
			is_custom?: boolean;
		};
		CoachingExample: {
			issue?: string;
			coaching?: string;
		};
		CoachingResource: {
			title?: string;
			type?: string;
			url?: string;
			description?: string;
			/** @description Separated by commas. */
			topics?: string;
		};
		CoachingAgentWrite: {
			name?: string;
			description?: string;
			is_active?: boolean;
			/** @description True makes this the default; false cannot unset it. */
			is_default?: boolean;
			/** @description Free wording is accepted. */
			coaching_tone?: string;
			/**
			 * @description After each evaluation.
			 * @enum {string}
			 */
			coaching_frequency?: "immediate";
			/**
			 * @description Percent; coaching is generated when a score falls below it.
			 * @example 70
			 */
			auto_trigger_threshold?: number;
			/** @example English */
			language?: string;
			include_positive_feedback?: boolean;
			include_actionable_steps?: boolean;
			include_resources?: boolean;
			general_guidelines?: string;
			coaching_templates?: components["schemas"]["CoachingTemplate"][];
			training_examples?: components["schemas"]["CoachingExample"][];
			resource_library?: components["schemas"]["CoachingResource"][];
		};
		CoachingAgent: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			description?: string;
			is_active?: boolean;
			is_default?: boolean;
			coaching_tone?: string;
			coaching_frequency?: string;
			auto_trigger_threshold?: number;
			language?: string;
			include_positive_feedback?: boolean;
			include_actionable_steps?: boolean;
			include_resources?: boolean;
			general_guidelines?: string;
			coaching_templates?: components["schemas"]["CoachingTemplate"][];
			training_examples?: components["schemas"]["CoachingExample"][];
			resource_library?: components["schemas"]["CoachingResource"][];
		};
		/**
		 * @description E.164: + then country code and digits, without separators (interface §7).
		 * @example +12345678901
		 */
		PhoneNumber: string;
		/**
		 * @description Clears a field.
		 * @enum {string}
		 */
		EmptyText: "";
		/** @enum {string} */
		ContactStatus: "Active" | "Inactive";
		/** @description Further keys are custom fields. */
		ContactWrite: {
			/** @example John */
			name?: string;
			/** @example Doe */
			surname?: string;
			email?: string | components["schemas"]["EmptyText"];
			phone_number?: components["schemas"]["PhoneNumber"] | components["schemas"]["EmptyText"];
			number_type?: string | null;
			/** @example US */
			country_code?: string;
			/** @example America/New_York */
			timezone?: string;
			/** @example en */
			primary_language?: string;
			preferred_contact_channel?: string;
			preferred_contact_time?: string;
			status?: components["schemas"]["ContactStatus"];
		} & {
			[key: string]: string | null;
		};
		/** @description Every active custom field is a top-level key, an empty string when unset. */
		Contact: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			surname?: string;
			email?: string;
			phone_number?: string;
			number_type?: string | null;
			country_code?: string;
			timezone?: string;
			primary_language?: string;
			preferred_contact_channel?: string;
			preferred_contact_time?: string;
			status?: string;
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
			/** @description In the list. */
			tags?: {
				/** Format: uuid */
				uuid?: string;
				name?: string;
			}[];
		} & {
			[key: string]: unknown;
		};
		ContactTag: {
			/** @description A number; the newer contact pages show tags by uuid. */
			tag_id: number | string;
		};
		ContactBlacklist: {
			reason: string;
			/** @enum {string} */
			type?: "Phone" | "Email" | "Both";
			is_permanent?: boolean;
			/**
			 * Format: date
			 * @description Needed when is_permanent is false; after today.
			 */
			expires_at?: string | null;
		};
		ContactBlacklisted: {
			/** Format: uuid */
			uuid?: string;
			status?: string;
			blacklist?: {
				type?: string;
				reason?: string;
				is_permanent?: boolean;
				/** Format: date-time */
				expires_at?: string | null;
				/** Format: date-time */
				blacklisted_at?: string;
			};
		};
		ContactFieldCreate: {
			/** @description Unique and immutable. */
			key?: string;
			name?: string;
			is_active?: boolean;
		} & {
			[key: string]: unknown;
		};
		ContactFieldUpdate: {
			name?: string;
			is_active?: boolean;
		} & {
			[key: string]: unknown;
		};
		ContactField: {
			key?: string;
			name?: string;
			is_active?: boolean;
		} & {
			[key: string]: unknown;
		};
		ConversationContact: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			surname?: string;
			phone_number?: string;
			email?: string;
		};
		Conversation: {
			/** Format: uuid */
			uuid?: string;
			type?: string;
			status?: string;
			responded_by?: string;
			is_simulation?: boolean;
			/** Format: date-time */
			timestamp?: string;
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
			/** Format: uuid */
			agent_uuid?: string;
			channel?: string;
			contact?: components["schemas"]["ConversationContact"];
			session_uuids?: string[];
			/** Format: uuid */
			campaign_uuid?: string | null;
			/** Format: uuid */
			listing_uuid?: string | null;
			task_uuids?: string[];
			call?: {
				/** Format: uuid */
				uuid?: string;
				direction?: string;
				status?: string;
				duration?: number;
				recording_url?: string | null;
				handled_by?: string;
				summary?: string | null;
				/** Format: date-time */
				timestamp?: string;
			} | null;
		};
		Message: {
			[key: string]: unknown;
		};
		Session: {
			/** Format: uuid */
			uuid?: string;
			/** Format: date-time */
			started_at?: string;
			/** Format: date-time */
			ended_at?: string | null;
			/** Format: date-time */
			last_activity_at?: string;
			/** Format: date-time */
			evaluated_at?: string | null;
			summary?: string | null;
			/** Format: date-time */
			summary_generated_at?: string | null;
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
			/** Format: uuid */
			conversation_uuid?: string;
			/** Format: uuid */
			agent_uuid?: string;
			contact?: components["schemas"]["ConversationContact"];
			/** Format: uuid */
			call_uuid?: string | null;
			/** Format: uuid */
			campaign_uuid?: string | null;
			/** Format: uuid */
			listing_uuid?: string | null;
			task_uuids?: string[];
		};
		/** @enum {string} */
		ColumnType: "text" | "number" | "date" | "boolean" | "json" | "url";
		TableCreate: {
			name: string;
			columns: {
				name: string;
				data_type: components["schemas"]["ColumnType"];
			}[];
			/** @description Also guidance to agents on how to use the table. */
			description?: string | null;
		};
		TableImportText: {
			name?: string;
			/** @description The text. */
			data?: string;
			description?: string;
		};
		TableImportFile: {
			/** Format: binary */
			file?: string;
			name?: string;
			description?: string;
		};
		TableImportWebsite: {
			/** Format: uri */
			url?: string;
			name?: string;
			description?: string;
		} & {
			[key: string]: unknown;
		};
		TableColumn: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			data_type?: string;
		} & {
			[key: string]: unknown;
		};
		Table: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			description?: string | null;
			type?: string;
			columns?: components["schemas"]["TableColumn"][];
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
		} & {
			[key: string]: unknown;
		};
		RecordWrite: {
			/** @description Column to value. */
			record?: {
				[key: string]: unknown;
			};
		};
		Record: {
			[key: string]: unknown;
		};
		TableAssign: {
			/** Format: uuid */
			agent_uuid?: string;
		};
		ActionLog: {
			/** Format: uuid */
			uuid?: string;
			/** @enum {string} */
			type?: "task" | "workflow" | "intent";
			name?: string;
			description?: string | null;
			status?: string;
			channel?: string | null;
			/** @description Milliseconds. */
			duration_ms?: number | null;
			/** Format: date-time */
			created_at?: string;
			agent?: {
				/** Format: uuid */
				uuid?: string;
				name?: string;
			} | null;
			contact?: {
				/** Format: uuid */
				uuid?: string;
				name?: string;
				phone_number?: string;
			} | null;
			customer?: {
				number?: string;
			} | null;
			request?: {
				[key: string]: unknown;
			} | null;
			response?: {
				[key: string]: unknown;
			} | null;
			error?: string | null;
			extras?: {
				[key: string]: unknown;
			} | null;
		};
		EmailSend: {
			/**
			 * Format: email
			 * @description Whom the email goes to.
			 */
			to?: string;
			request_key?: components["schemas"]["RequestKey"];
		} & {
			[key: string]: unknown;
		};
		EvaluateToggle: {
			enabled?: boolean;
			description?: string;
		};
		/** @description Toggles by name, as in EvaluateToggles. */
		EvaluateTogglesWrite: {
			[key: string]: components["schemas"]["EvaluateToggleWrite"];
		};
		EvaluateToggleWrite: {
			enabled?: boolean;
			prompt?: string;
		};
		/** @description Toggles by name. Seen for text: sentiment_analyzer, emotion_detection, intensity_strength_levels, intent_action_sentiment, intent_labels, knowledge_gap, human_escalation_detection, contextual_sentiment, customer_satisfaction_score, success_evaluation_prompt; for voice: human_escalation_detection. */
		EvaluateToggles: {
			[key: string]: components["schemas"]["EvaluateToggle"];
		};
		EvaluateSessionizationWrite: {
			/**
			 * @description Minutes.
			 * @example 30
			 */
			timeout_minutes?: number;
			/**
			 * @description English name of a language.
			 * @example German
			 */
			report_language?: string;
		};
		EvaluateSettingsWrite: {
			sessionization?: components["schemas"]["EvaluateSessionizationWrite"];
			text?: components["schemas"]["EvaluateTogglesWrite"];
		};
		AgentEvaluateSettingsWrite: {
			is_active?: boolean;
			sessionization?: components["schemas"]["EvaluateSessionizationWrite"];
			text?: components["schemas"]["EvaluateTogglesWrite"];
			voice?: {
				[key: string]: {
					enabled?: boolean;
					prompt?: string;
				};
			};
		};
		EvaluateSettings: {
			/** Format: uuid */
			agent_uuid?: string | null;
			is_default?: boolean;
			is_active?: boolean;
			source?: string;
			sessionization?: {
				session_mode?: string;
				/** @description Minutes. */
				timeout_minutes?: number;
				report_language?: string;
				summary_prompt?: string;
			};
			text?: components["schemas"]["EvaluateToggles"];
			voice?: components["schemas"]["EvaluateToggles"];
		};
		EvaluationScore: {
			value?: string;
			/** @example 50 */
			confidence?: number;
			reason?: string;
		} | null;
		Evaluation: {
			/** Format: uuid */
			uuid?: string;
			/** Format: uuid */
			session_uuid?: string;
			/** Format: uuid */
			conversation_uuid?: string;
			/** Format: uuid */
			contact_uuid?: string;
			sentiment?: components["schemas"]["EvaluationScore"];
			emotion?: components["schemas"]["EvaluationScore"];
			sentiment_strength?: components["schemas"]["EvaluationScore"];
			intent?: components["schemas"]["EvaluationScore"];
			intent_labels?: components["schemas"]["EvaluationScore"];
			knowledge_gap?: components["schemas"]["EvaluationScore"];
			human_escalation?: components["schemas"]["EvaluationScore"];
			contextual_sentiment?: components["schemas"]["EvaluationScore"];
			satisfaction?: components["schemas"]["EvaluationScore"];
			success?: components["schemas"]["EvaluationScore"];
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
		};
		/** @description Further keys look like custom fields (the example has company, city, lead_source and notes). */
		ListingContact: {
			name?: string;
			surname?: string;
			phone_number?: components["schemas"]["PhoneNumber"];
			/** Format: email */
			email?: string;
			/** @example Europe/Istanbul */
			timezone?: string;
			/** @example TR */
			country_code?: string;
			/** @example tr */
			primary_language?: string;
			preferred_contact_time?: string;
			preferred_contact_channel?: string;
		} & {
			[key: string]: unknown;
		};
		/** @description The client sends four fields; the others are those of a contact of a new listing. */
		ListingContactAdded: {
			name?: string;
			surname?: string;
			phone_number?: components["schemas"]["PhoneNumber"];
			/** Format: email */
			email?: string;
			/** @example Europe/Istanbul */
			timezone?: string;
			/** @example TR */
			country_code?: string;
			/** @example tr */
			primary_language?: string;
			preferred_contact_time?: string;
			preferred_contact_channel?: string;
		} & {
			[key: string]: unknown;
		};
		ListingCreate: {
			/** @example My Call List */
			name: string;
			contacts: components["schemas"]["ListingContact"][];
			description?: string | null;
			campaign_type?: string;
			/**
			 * Format: date
			 * @example 2026-02-22
			 */
			start_date?: string;
			/**
			 * Format: date
			 * @example 2026-03-22
			 */
			end_date?: string;
			/** Format: uuid */
			agent_uuid?: string;
			/** @description An integer, while template settings are otherwise known by uuid. */
			contact_template_setting_id?: number | null;
			rule?: {
				/** Format: uuid */
				uuid?: string;
				name?: string;
				/** @enum {string} */
				type?: "call" | "text" | "whatsapp";
				max_calls_per_day?: number;
				max_total_calls?: number;
				/** @description Minutes. */
				retry_interval_minutes?: number;
				start_time?: components["schemas"]["TimeOfDay"];
				/** @description Call only: type text empties it. */
				end_time?: components["schemas"]["TimeOfDay"];
			};
			auto_start?: boolean;
			request_key?: components["schemas"]["RequestKey"];
		};
		ListingContactsAdd: {
			contacts?: components["schemas"]["ListingContactAdded"][];
		};
		Listing: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
		} & {
			[key: string]: unknown;
		};
		MediaUpload: {
			/** Format: binary */
			file?: string;
		};
		Media: {
			/** Format: uuid */
			uuid?: string;
			url?: string;
		} & {
			[key: string]: unknown;
		};
		CallStart: {
			/** Format: uuid */
			agentId: string;
			participant: {
				number: components["schemas"]["PhoneNumber"];
				/** @description Free text about the callee. */
				about?: string;
			};
			prompt?: {
				overwrite?: boolean;
				content?: string;
			};
			message?: {
				/** @description Greeting spoken when the call starts. */
				start?: string;
			};
			request_key?: components["schemas"]["RequestKey"];
		};
		Call: {
			/** Format: uuid */
			uuid?: string;
			direction?: string | null;
			status?: string | null;
			duration?: number | null;
			handled_by?: string | null;
			communication?: string | null;
			analysis?: string | null;
			agent?: ({
				uuid?: string;
				name?: string;
			} & {
				[key: string]: unknown;
			}) | null;
			/** Format: date-time */
			timestamp?: string | null;
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
		} & {
			[key: string]: unknown;
		};
		CallStarted: {
			/** Format: uuid */
			conversation_uuid?: string;
			id?: string;
			agentId?: string;
			status?: string;
			/** Format: uuid */
			contact_uuid?: string;
			listen_url?: string;
			record_url?: string;
			provider?: string;
		};
		WhatsappTemplateSend: {
			/** Format: uuid */
			agentId: string;
			/**
			 * Format: uuid
			 * @description The template's uuid.
			 */
			templateId: string;
			phoneNumber: components["schemas"]["PhoneNumber"];
			/** @description field1, field2, … fill the placeholders {{1}}, {{2}}, …; left out when the template has none. */
			parameters?: {
				[key: string]: string;
			};
			/** @description Header media by a publicly reachable URL. */
			header?: {
				/** @enum {string} */
				type?: "image" | "video" | "document";
				/** Format: uri */
				url?: string;
			};
			request_key?: components["schemas"]["RequestKey"];
		};
		WhatsappTemplateSent: {
			messageId?: string;
			templateName?: string;
			recipientPhone?: string;
			conversationId?: string | number;
		};
		WhatsappTemplateCreate: {
			/**
			 * @description Lower-case snake_case.
			 * @example order_confirmation
			 */
			name: string;
			/** @example en_US */
			language: string;
			/** @enum {string} */
			category: "MARKETING" | "UTILITY" | "AUTHENTICATION";
			/**
			 * @description The business account.
			 * @example 123456789012345
			 */
			waba_id: string;
			/** @description The provider's own component format. */
			components: {
				[key: string]: unknown;
			}[];
		};
		WhatsappTemplate: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			language?: string;
			category?: string;
			status?: string;
			content?: string;
			components?: {
				[key: string]: unknown;
			}[];
			template_id?: string;
			waba_id?: string;
			phone_number?: string;
			type?: string;
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
		};
		WhatsappMediaUpload: {
			/** @example 123456789012345 */
			waba_id: string;
			/** @enum {string} */
			media_type: "image" | "video" | "document";
			/**
			 * Format: binary
			 * @description image: jpg, png up to 5 MB; video: mp4, 3gp up to 16 MB; document: pdf, txt, doc(x), xls(x), ppt(x) up to 100 MB.
			 */
			file: string;
		};
		WhatsappMediaUploaded: {
			handle?: string;
			media_type?: string;
		};
		WhatsappTemplateParams: {
			/** @description Placeholder number to literal text or token ({{contact.name}}, {{custom.<field key>}}). */
			body?: {
				[key: string]: string;
			};
			header?: {
				[key: string]: unknown;
			};
		};
		WhatsappTemplateSettingCreate: {
			/**
			 * Format: uuid
			 * @description An approved template.
			 */
			template_uuid: string;
			params?: components["schemas"]["WhatsappTemplateParams"];
			/**
			 * @default active
			 * @enum {string}
			 */
			status?: "active" | "inactive";
		};
		WhatsappTemplateSetting: {
			/** Format: uuid */
			uuid?: string;
			params?: components["schemas"]["WhatsappTemplateParams"];
			content?: string;
			template?: {
				/** Format: uuid */
				uuid?: string;
				name?: string;
				language?: string;
				category?: string;
				status?: string;
				waba_id?: string;
			};
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
		};
		SmsSend: {
			/** Format: uuid */
			agentId: string;
			phoneNumber: components["schemas"]["PhoneNumber"];
			message: string;
			request_key?: components["schemas"]["RequestKey"];
		};
		SmsSent: {
			messageId?: string;
			recipientPhone?: string;
			conversationId?: string;
		};
		ScheduleCreate: {
			name: string;
			availability_type_uuid: string;
		};
		ScheduleUpdate: {
			name?: string;
			type?: string;
			color?: string;
			/** Format: uuid */
			availability_type_uuid?: string;
			ai_agents?: string[];
			human_agents?: string[];
			custom_questions?: {
				name?: string;
				/** @default text */
				type?: string;
				/** @default false */
				required?: boolean;
				description?: string;
			}[];
		};
		Schedule: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			type?: string | null;
			color?: string | null;
			/** Format: uuid */
			availability_type_uuid?: string | null;
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
			ai_agents?: string[];
			human_agents?: string[];
			custom_questions?: components["schemas"]["CustomQuestion"][];
		} & {
			[key: string]: unknown;
		};
		TaskCreate: {
			title: string;
			type: string;
			/** Format: uuid */
			agent_uuid: string;
			/** @description In the future. */
			scheduled_at: components["schemas"]["Instant"];
			description?: string;
			/**
			 * Format: uuid
			 * @description This or contact, not both.
			 */
			contact_uuid?: string;
			/** @description Needed without contact_uuid; found by phone or email, else created. */
			contact?: {
				phone_number?: components["schemas"]["PhoneNumber"];
			} & {
				[key: string]: unknown;
			};
			/** Format: uuid */
			campaign_uuid?: string;
			/** @example UTC */
			timezone?: string;
			/** @default 5 */
			priority?: number;
			expires_at?: components["schemas"]["Instant"];
			/** @default 3 */
			max_attempts?: number;
			/** @description Needed for a template message: message_type whatsapp_template and template_uuid. */
			task_data?: {
				message_type?: string;
				/** Format: uuid */
				template_uuid?: string;
			} & {
				[key: string]: unknown;
			};
			/** @default false */
			auto_queue?: boolean;
			request_key?: components["schemas"]["RequestKey"];
		};
		TaskUpdate: {
			title?: string;
			description?: string;
			status?: string;
			priority?: number;
			scheduled_at?: components["schemas"]["Instant"];
			auto_queue?: boolean;
		};
		Task: {
			/** Format: uuid */
			uuid?: string;
			title?: string | null;
			type?: string | null;
			description?: string | null;
			status?: string | null;
			priority?: number | null;
			/** Format: date-time */
			scheduled_at?: string | null;
			timezone?: string | null;
			auto_queue?: boolean | null;
			agent_uuid?: string | null;
			contact_uuid?: string | null;
			campaign_uuid?: string | null;
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
		} & {
			[key: string]: unknown;
		};
		TranscriptionCreate: {
			/** Format: binary */
			voice_file?: string | null;
			/** Format: uri */
			voice_url?: string | null;
			/** @example en */
			possible_language?: string | null;
			/** @description Context of the talk. */
			possible_conversation?: string | null;
			/** @description The caller's own id. */
			reference_id?: string | null;
			customer_voice_url?: string;
			/** @description Of the human agent; links the record to that user. */
			email?: string;
			customer_phone?: string;
			customer_email?: string;
			/** @description The finished transcript is posted there. */
			webhook_url?: string;
			/** @description Sent as the bearer token of that post. */
			webhook_header_token?: string;
			/** Format: uuid */
			qa_agent_uuid?: string;
			/** Format: uuid */
			coaching_agent_uuid?: string;
		};
		Transcription: {
			/** Format: uuid */
			uuid?: string;
			reference_id?: string | null;
			status?: string;
			s3_file_path?: string | null;
			s3_file_url?: string | null;
			/** Format: date-time */
			created_at?: string;
			/** Format: uuid */
			qa_agent_uuid?: string | null;
			/** Format: uuid */
			coaching_agent_uuid?: string | null;
		};
		TranscriptionState: {
			/** Format: uuid */
			uuid?: string;
			reference_id?: string | null;
			status?: string;
			possible_language?: string | null;
			transcription_result?: string | null;
			error_message?: string | null;
			s3_file_path?: string | null;
			s3_file_url?: string | null;
			/** Format: uuid */
			qa_agent_uuid?: string | null;
			/** Format: uuid */
			coaching_agent_uuid?: string | null;
			/** Format: date-time */
			processed_at?: string | null;
			/** Format: date-time */
			created_at?: string;
		};
		Transcript: {
			/**
			 * Format: uuid
			 * @description uuid in the answer to the create.
			 */
			id?: string;
			reference_id?: string | null;
			status?: string;
			/** Format: uuid */
			qa_agent_uuid?: string | null;
			/** Format: uuid */
			coaching_agent_uuid?: string | null;
			conversation?: {
				/** Format: uuid */
				id?: string;
				plain?: string;
				messages?: {
					role?: string;
					content?: string;
				}[];
			};
			session?: {
				/** Format: uuid */
				id?: string;
				type?: string;
				status?: string;
			};
			evaluations?: {
				[key: string]: unknown;
			} | null;
			/** Format: date-time */
			processed_at?: string | null;
			timestamp?: number;
		};
		CallAnalytics: {
			meta?: {
				[key: string]: unknown;
			};
			totals?: {
				calls?: number;
				inbound?: number;
				outbound?: number;
				answered?: number;
				missed?: number;
				failed?: number;
				ai_handled?: number;
				human_handled?: number;
			};
			/** @description Seconds. */
			duration_sec?: {
				[key: string]: unknown;
			};
			buckets?: {
				[key: string]: unknown;
			};
			outcome?: {
				[key: string]: unknown;
			};
			cost?: {
				[key: string]: unknown;
			};
			previous?: {
				[key: string]: unknown;
			} | null;
		};
		SessionAnalytics: {
			meta?: {
				[key: string]: unknown;
			};
			totals?: {
				[key: string]: unknown;
			};
			rates?: {
				[key: string]: unknown;
			};
			/** @description Seconds. */
			duration_sec?: {
				[key: string]: unknown;
			};
			messages_per_session?: {
				[key: string]: unknown;
			};
			/** @description p50 and p95 in milliseconds, null without voice records. */
			latency_ms?: {
				[key: string]: unknown;
			} | null;
			previous?: {
				[key: string]: unknown;
			} | null;
		};
		MessageExport: {
			meta?: {
				[key: string]: unknown;
			};
			messages?: {
				/** Format: uuid */
				message_uuid?: string;
				/** Format: uuid */
				conversation_uuid?: string;
				/** Format: uuid */
				session_uuid?: string | null;
				/** Format: uuid */
				contact_uuid?: string | null;
				/** Format: uuid */
				agent_uuid?: string | null;
				channel?: string;
				channel_label?: string;
				direction?: string;
				sender?: string;
				message_type?: string;
				content?: string | null;
				content_disclosure?: string;
				/** Format: date-time */
				created_at?: string;
			}[];
			pagination?: {
				next_cursor?: string | null;
				has_more?: boolean;
				limit?: number;
			};
		};
		Flow: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			description?: string | null;
			status?: string;
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
			/** @description Flat and in order; branch children carry parent_step_uuid and branch_key. */
			steps?: components["schemas"]["FlowStep"][];
		};
		/** @enum {string} */
		FlowStepKind: "trigger" | "action";
		FlowStep: {
			/** Format: uuid */
			uuid?: string;
			position?: number;
			kind?: components["schemas"]["FlowStepKind"];
			/** @enum {string} */
			status?: "draft" | "active";
			/** Format: uuid */
			parent_step_uuid?: string | null;
			branch_key?: string | null;
			app?: {
				uid?: string;
				name?: string;
				icon?: string;
				/** @enum {string} */
				category?: "builtin" | "connect";
				requires_connection?: boolean;
			} | null;
			trigger?: {
				key?: string;
				name?: string;
			} | null;
			action?: {
				key?: string;
				name?: string;
			} | null;
			agent?: {
				/** Format: uuid */
				uuid?: string;
				name?: string;
			} | null;
			app_connection?: {
				/** Format: uuid */
				uuid?: string;
				label?: string;
			} | null;
			config?: {
				[key: string]: unknown;
			} | null;
			last_test?: {
				data?: {
					[key: string]: unknown;
				} | null;
			} | null;
		};
		FlowStepAdd: {
			kind: components["schemas"]["FlowStepKind"];
			/** @description From GET /flow/apps. */
			app_uid: string;
			/** @description Needed for a trigger. */
			trigger_key?: string;
			/** @description Needed for an action. */
			action_key?: string;
			/**
			 * Format: uuid
			 * @description Needed for apps of category connect, null for built-in ones.
			 */
			app_connection_uuid?: string | null;
			/**
			 * Format: uuid
			 * @description Needed for actions of the Agents app.
			 */
			agent_uuid?: string;
			/** @description Values may hold {{stepN.field}} templates that read earlier steps. */
			config?: {
				[key: string]: unknown;
			};
			/**
			 * Format: uuid
			 * @description In the middle of the chain after this step.
			 */
			insert_after_step_uuid?: string;
			/**
			 * Format: uuid
			 * @description Makes it a child of an if_condition step; needs branch_key.
			 */
			parent_step_uuid?: string;
			/** @enum {string} */
			branch_key?: "true" | "false";
		};
		FlowStepUpdate: {
			app_uid?: string;
			trigger_key?: string | null;
			action_key?: string | null;
			/** Format: uuid */
			agent_uuid?: string | null;
			/** Format: uuid */
			app_connection_uuid?: string | null;
			config?: {
				[key: string]: unknown;
			};
		};
		FlowStepTest: {
			/**
			 * @description Store the result as the step's last_test and activate the step.
			 * @default true
			 */
			persist?: boolean;
			/** @description Triggers: a hand-made sample instead of the automatic fetch. */
			data?: {
				[key: string]: unknown;
			};
			/** @description Triggers: picks one record of the samples. */
			sample_uuid?: string | null;
			/**
			 * @description Triggers: most samples returned.
			 * @default 10
			 */
			limit?: number;
			/** @description Actions: replaces the values from earlier steps. */
			input_data?: {
				[key: string]: unknown;
			};
			/** @description Actions: another config, not saved. */
			config_override?: {
				[key: string]: unknown;
			};
			/**
			 * @description Actions: only validate.
			 * @default false
			 */
			dry_run?: boolean;
			/**
			 * @description Actions: really execute.
			 * @default false
			 */
			live?: boolean;
		};
		FlowStepTestResult: {
			kind?: components["schemas"]["FlowStepKind"];
			dry_run?: boolean;
			data?: {
				[key: string]: unknown;
			} | null;
			/** @description Milliseconds. */
			duration_ms?: number;
			resolved?: {
				[key: string]: unknown;
			} | null;
			selected?: {
				[key: string]: unknown;
			} | null;
			samples?: {
				sample_uuid?: string;
				label?: string;
				/** Format: date-time */
				timestamp?: string;
			}[];
		};
		/** @enum {string} */
		PoolType: "FIFO" | "LIFO" | "Parallel";
		PoolCreate: {
			name: string;
			description: string;
			/** @default FIFO */
			type?: components["schemas"]["PoolType"];
			/**
			 * @description Only for Parallel.
			 * @default 10
			 */
			max_parallel_items?: number;
			/**
			 * @description The rule of an attached campaign goes first.
			 * @default 3
			 */
			max_retries?: number;
			/**
			 * @description An inactive pool is left out when campaigns are made.
			 * @default true
			 */
			is_active?: boolean;
		};
		PoolUpdate: {
			name?: string;
			description?: string;
			/** @description Only later dispatches follow the new order. */
			type?: components["schemas"]["PoolType"];
			max_parallel_items?: number;
			max_retries?: number;
			/** @description Turning it off neither stops running campaigns nor cancels scheduled tasks. */
			is_active?: boolean;
		};
		Pool: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			description?: string;
			type?: components["schemas"]["PoolType"];
			max_parallel_items?: number;
			max_retries?: number;
			is_active?: boolean;
			contacts_count?: number;
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
		};
		PoolDuplicate: {
			/** @description Default is the source's name plus (copy). */
			name?: string | null;
			/**
			 * @description True copies every item as Pending with its priority; false makes an empty pool.
			 * @default true
			 */
			copy_contacts?: boolean;
		};
		PoolContactsAdd: {
			contact_uuids: string[];
			/**
			 * @description Higher goes first, Parallel only.
			 * @default 0
			 */
			priority?: number | null;
		};
		PoolContactsAdded: {
			/** Format: uuid */
			pool_uuid?: string;
			contacts_added?: number;
			contacts_skipped?: number;
			contact_uuids_not_found?: string[];
			tasks_created?: number;
			running_campaign_uuids?: string[];
		};
		PoolContact: {
			/** Format: uuid */
			contact_uuid?: string;
			name?: string;
			phone_number?: string;
			email?: string;
			status?: string;
			priority?: number;
			retry_count?: number;
			/** Format: date-time */
			started_at?: string | null;
			/** Format: date-time */
			completed_at?: string | null;
			/** Format: date-time */
			failed_at?: string | null;
			/** Format: date-time */
			next_retry_at?: string | null;
			notes?: string | null;
			/** Format: date-time */
			added_at?: string;
		};
		/** @enum {string} */
		RuleType: "call" | "text";
		RuleWrite: {
			/** @description Need not be unique. */
			name?: string;
			/** @default call */
			type?: components["schemas"]["RuleType"];
			/** @description Per contact and calendar day in the contact's timezone; default 3 for call, 1 for text. */
			max_calls_per_day?: number;
			/** @description Per contact over the campaign's dates; default 10 for call, 1 for text. */
			max_total_calls?: number;
			/**
			 * @description Minutes; call only, null for text.
			 * @default 120
			 */
			retry_interval_minutes?: number | null;
			/**
			 * @description HH:MM, contact's local time.
			 * @default 09:00
			 */
			start_time?: components["schemas"]["TimeOfDay"];
			/**
			 * @description HH:MM, contact's local time; call only, null for text.
			 * @default 18:00
			 */
			end_time?: string | null;
			/**
			 * @description Skips do-not-call contacts when tasks are made.
			 * @default true
			 */
			dnc_check?: boolean;
			/** @default true */
			remove_on_opt_out?: boolean;
			/** @description 0 switches it off. */
			escalation_after_failed_attempts?: number;
			escalation_type?: string;
			escalation_target?: string;
		};
		Rule: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			type?: components["schemas"]["RuleType"];
			max_calls_per_day?: number;
			max_total_calls?: number;
			retry_interval_minutes?: number | null;
			/** @description HH:MM:SS. */
			start_time?: string | null;
			/** @description HH:MM:SS. */
			end_time?: string | null;
			dnc_check?: boolean;
			remove_on_opt_out?: boolean;
			escalation_after_failed_attempts?: number | null;
			escalation_type?: string | null;
			escalation_target?: string | null;
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
		};
		/** @enum {string} */
		PhoneNumberType: "local" | "toll_free" | "mobile" | "national";
		/** @enum {string} */
		TrunkChannel: "call" | "whatsapp";
		OutboundChannelSettings: {
			enabled?: boolean;
			channel_limit?: number;
			/** @description Country codes. */
			whitelisted_destinations?: string[];
		};
		InboundChannelSettings: {
			enabled?: boolean;
			channel_limit?: number;
		};
		PhoneNumberChannelSettings: {
			voice?: components["schemas"]["OutboundChannelSettings"];
			sms?: components["schemas"]["OutboundChannelSettings"];
			inbound?: components["schemas"]["InboundChannelSettings"];
		};
		PhoneNumberBinding: {
			bound?: boolean;
			agent_uuid?: string | null;
			agent_name?: string | null;
		};
		OwnedPhoneNumber: {
			/** Format: uuid */
			phone_number_uuid?: string;
			number?: string;
			country_code?: string;
			location?: string;
			type?: components["schemas"]["PhoneNumberType"];
			is_external?: boolean;
			/** @enum {string} */
			source?: "purchased" | "external";
			status?: string;
			compliance?: {
				status?: string;
				requirements?: {
					name?: string;
					type?: string;
					description?: string;
				}[];
			};
			capabilities?: {
				voice?: boolean;
				sms?: boolean;
				mms?: boolean;
				fax?: boolean;
				emergency?: boolean;
				local_calling?: boolean;
			};
			channel_settings?: components["schemas"]["PhoneNumberChannelSettings"];
			billing?: {
				monthly_fee?: number;
				/** @example EUR */
				currency?: string;
			};
			bindings?: {
				call?: components["schemas"]["PhoneNumberBinding"];
				sms?: components["schemas"]["PhoneNumberBinding"];
				whatsapp?: components["schemas"]["PhoneNumberBinding"];
			};
			/** Format: date-time */
			purchased_at?: string | null;
			/** Format: date-time */
			updated_at?: string;
		};
		PhoneNumberBuy: {
			/** @description Exactly as the search gave it. */
			number?: components["schemas"]["PhoneNumber"];
			/** @description ISO 3166-1 alpha-2. */
			country_code?: string;
			type?: components["schemas"]["PhoneNumberType"];
			/** @description Carried over from the search. */
			monthly_fee?: number;
			/** @description Copied from the search. */
			capabilities?: {
				[key: string]: unknown;
			};
			/** @description Default is the country code. */
			location?: string;
			/** @description Only where country and type ask for it. */
			address?: {
				first_name?: string;
				last_name?: string;
				business_name?: string;
				phone_number?: string;
				street_address?: string;
				extended_address?: string;
				locality?: string;
				administrative_area?: string;
				postal_code?: string;
				country_code?: string;
			};
			requirements?: {
				key?: string;
				/** Format: uuid */
				requirement_id?: string;
				value?: string;
				document_id?: string;
			}[];
		};
		PhoneNumberUpdate: {
			channel_settings?: components["schemas"]["PhoneNumberChannelSettings"];
		};
		PhoneNumberChannel: {
			capable?: boolean;
			enabled?: boolean;
			channel_limit?: number;
			whitelisted_destinations?: string[];
			bound?: boolean;
			agent_uuid?: string | null;
			agent_name?: string | null;
		};
		PhoneNumberChannels: {
			/** Format: uuid */
			phone_number_uuid?: string;
			number?: string;
			is_external?: boolean;
			source?: string;
			channels?: {
				call?: components["schemas"]["PhoneNumberChannel"];
				sms?: components["schemas"]["PhoneNumberChannel"];
				whatsapp?: components["schemas"]["PhoneNumberBinding"];
				inbound?: components["schemas"]["InboundChannelSettings"];
			};
		};
		DocumentUpload: {
			/** Format: binary */
			file?: string;
		};
		Sip: {
			gateway?: string;
			/** @example 5060 */
			port?: number;
			username?: string;
			password?: string;
			secondary_gateway?: string;
		};
		TrunkRegister: {
			phone_number: components["schemas"]["PhoneNumber"];
			/** Format: uuid */
			agent_uuid?: string;
			channel?: components["schemas"]["TrunkChannel"];
			/** @description Default is {channel}_trunk_{digits}. */
			name?: string;
			/**
			 * @description Call only.
			 * @default both
			 * @enum {string}
			 */
			direction?: "inbound" | "outbound" | "both";
			sip?: components["schemas"]["Sip"];
			additional_settings?: {
				[key: string]: unknown;
			};
		};
		TrunkUpdate: {
			/** @description With channel it names the row; cannot change. */
			phone_number: string;
			channel?: components["schemas"]["TrunkChannel"];
			name?: string;
			/**
			 * @description Call only.
			 * @enum {string}
			 */
			direction?: "inbound" | "outbound" | "both";
			/** @description Only keys given change; an empty string clears. */
			sip?: components["schemas"]["Sip"];
			/** @description Replaces; {} clears. */
			additional_settings?: {
				[key: string]: unknown;
			};
		};
		TrunkAssign: {
			phone_number: components["schemas"]["PhoneNumber"];
			channel: components["schemas"]["TrunkChannel"];
			/** Format: uuid */
			agent_uuid?: string;
		};
		CallRate: {
			country_code?: string;
			country_name?: string;
			destination_prefix?: string;
			origination?: string | null;
			description?: string | null;
			min_duration_seconds?: number;
			billing_increment_seconds?: number;
			price?: {
				amount?: number;
				currency?: string;
			};
		};
		PbxConnectorCreate: {
			/** Format: uuid */
			agent_uuid?: string;
			phone_number?: components["schemas"]["PhoneNumber"];
			registrar_server?: string;
			username_extension?: string;
			pbx_password?: string;
			allowed_ip?: string;
			setup_mode?: string;
			connection_type?: string;
			/** @example 5060 */
			port?: number;
			auth_username?: string;
			auth_password?: string;
			normalizer?: {
				default_prefix?: string;
				condition_length?: string;
				condition_prefix?: string;
			};
		};
		PbxConnector: {
			/** Format: uuid */
			pbx_extension_connector_uuid?: string;
			name?: string;
			status?: string;
			phone_number?: string;
			agent_uuid?: string | null;
			agent_name?: string | null;
			sip_connector_server?: string;
			connection_type?: string;
			setup_mode?: string;
			pbx?: {
				registrar_server?: string;
				port?: number;
				username_extension?: string;
			};
			inbound?: {
				allowed_ip?: string | null;
			};
			auth?: {
				has_separate_credentials?: boolean;
				username?: string | null;
			};
			normalizer?: {
				[key: string]: unknown;
			} | null;
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
		};
		QaSkillWrite: {
			/**
			 * Format: uuid
			 * @description Names an existing skill.
			 */
			uuid?: string;
			name?: string;
			description?: string;
			weight?: number;
			/** @example 10 */
			max_score?: number;
			ai_evaluation_prompt?: string;
			positive_items?: {
				name?: string;
				points?: number;
			}[];
			penalty_items?: {
				name?: string;
				/** @description Negative. */
				penalty_points?: number;
				is_auto_fail?: boolean;
			}[];
			is_custom?: boolean;
		};
		QaSkill: components["schemas"]["QaSkillWrite"] & {
			order?: number;
		};
		QaAgentWrite: {
			name?: string;
			description?: string;
			evaluates_agent_type?: string;
			is_active?: boolean;
			is_default?: boolean;
			evaluation_model?: string;
			/** @example 70 */
			strictness_level?: number;
			/** @example 85 */
			confidence_threshold?: number;
			/** @example 3 */
			auto_fail_threshold?: number;
			/**
			 * @description English name of a language.
			 * @example English
			 */
			language?: string;
			custom_instructions?: string;
			automatic_scoring?: boolean;
			sentiment_analysis?: boolean;
			compliance_checking?: boolean;
			skills?: components["schemas"]["QaSkillWrite"][];
		};
		QaAgent: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			description?: string;
			evaluates_agent_type?: string;
			is_active?: boolean;
			is_default?: boolean;
			evaluation_model?: string;
			strictness_level?: number;
			confidence_threshold?: number;
			auto_fail_threshold?: number;
			language?: string;
			custom_instructions?: string;
			automatic_scoring?: boolean;
			sentiment_analysis?: boolean;
			compliance_checking?: boolean;
			skills?: components["schemas"]["QaSkill"][];
			total_weight?: number;
			weights_balanced?: boolean;
			/** Format: date-time */
			created_at?: string;
			/** Format: date-time */
			updated_at?: string;
		};
		/** @description The example has name, weight, description and penalty_items; the others are those of a skill of the update. */
		QaSkillReplaced: {
			/** Format: uuid */
			uuid?: string;
			name?: string;
			description?: string;
			weight?: number;
			/** @example 10 */
			max_score?: number;
			ai_evaluation_prompt?: string;
			positive_items?: {
				name?: string;
				points?: number;
			}[];
			penalty_items?: {
				name?: string;
				/** @description Negative. */
				penalty_points?: number;
				is_auto_fail?: boolean;
			}[];
			is_custom?: boolean;
		};
		QaAgentSkillsReplace: {
			skills?: components["schemas"]["QaSkillReplaced"][];
		};
		AgenticSearch: {
			query: string;
			search_preset?: string;
			/** @description ISO 639-1; default is the workspace language. */
			language?: string;
			/** @description ISO 3166-1 alpha-2. */
			search_country?: string | null;
			/** @description With search_country. */
			search_region?: string | null;
			/** @description With search_country. */
			search_city?: string | null;
			/** @description With search_longitude and search_country. */
			search_latitude?: number | null;
			search_longitude?: number | null;
		};
		AgenticSearchAnswer: {
			answer?: string;
			citations?: string[];
		};
	};
	responses: {
		/** @description 400 malformed request or invalid JSON, 401, 403, 404, 422. The request is refused; do not repeat it without a change. */
		ClientError: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
			};
		};
		/** @description The token has no permission for this, or a cap is reached. */
		Forbidden: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
			};
		};
		/** @description Something that the request names does not exist. */
		NotFound: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
			};
		};
		/** @description Not possible in the present state. */
		Conflict: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
			};
		};
		/** @description The agent already has five webhooks. */
		WebhookLimitReached: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				/**
				 * @example {
				 *       "success": false,
				 *       "message": "The agent already has 5 webhooks.",
				 *       "error": {
				 *         "code": "webhook_limit_reached"
				 *       }
				 *     }
				 */
				"application/json": components["schemas"]["Error"];
			};
		};
		/** @description A field is missing, wrong or unknown; the error names it. */
		ValidationFailed: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
			};
		};
		/** @description Too many requests; nothing was created or sent for this one. */
		RateLimited: {
			headers: {
				/** @description Seconds. */
				"Retry-After"?: number;
				[name: string]: unknown;
			};
			content: {
				/**
				 * @example {
				 *       "success": false,
				 *       "message": "Too many requests.",
				 *       "error": {
				 *         "code": "RATE_LIMIT_EXCEEDED",
				 *         "retryAfter": 1
				 *       }
				 *     }
				 */
				"application/json": components["schemas"]["Error"];
			};
		};
		/** @description 500 internal error, 502 bad gateway, 503 unavailable or under maintenance; repeat with backoff. */
		ServerError: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Error"];
			};
		};
		/** @description It succeeds; the body is not shown. */
		Open: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["OpenAnswer"];
			};
		};
		/** @description A list; its layout and the fields of an item are not shown. */
		OpenList: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["OpenAnswer"];
			};
		};
		/** @description Metrics; their layout is not shown. */
		OpenAnalytics: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["OpenAnswer"];
			};
		};
		/** @description The agent. */
		Agent: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Agent"];
				};
			};
		};
		/** @description The whole agent under data; neither success nor message is shown. */
		AgentData: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": {
					data?: components["schemas"]["Agent"];
				};
			};
		};
		/** @description A page of agents. */
		AgentItems: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: {
						items?: components["schemas"]["Agent"][];
						pagination?: components["schemas"]["Pagination"];
					};
				};
			};
		};
		/** @description The voice settings. */
		AgentVoice: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["AgentVoice"];
				};
			};
		};
		/** @description The messages. */
		VoiceInteraction: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["VoiceInteraction"];
				};
			};
		};
		/** @description The call behaviour. */
		CallBehavior: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["CallBehavior"];
				};
			};
		};
		/** @description The tuning fields that the selected voice supports. */
		VoiceAdvanced: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["VoiceAdvanced"];
				};
			};
		};
		/** @description The compliance settings. */
		Compliance: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Compliance"];
				};
			};
		};
		/** @description The intent. */
		Intent: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Intent"];
				};
			};
		};
		/** @description The action. */
		IntentEvent: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["IntentEvent"];
				};
			};
		};
		/** @description The webhook. */
		AgentWebhook: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["AgentWebhook"];
				};
			};
		};
		/** @description All webhooks of the agent. */
		AgentWebhookItems: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: {
						items?: components["schemas"]["AgentWebhook"][];
						count?: number;
						/** @example 5 */
						limit?: number;
					};
				};
			};
		};
		/** @description The appointment. */
		Appointment: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Appointment"];
				};
			};
		};
		/** @description The appointments. */
		AppointmentList: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Appointment"][];
				};
			};
		};
		/** @description The appointment request. */
		AppointmentRequest: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["AppointmentRequest"];
				};
			};
		};
		/** @description The appointment requests. */
		AppointmentRequestList: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["AppointmentRequest"][];
				};
			};
		};
		/** @description The agent, with further keys that are not shown. */
		CallChannelProvisioned: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: {
						agent?: components["schemas"]["Agent"];
					} & {
						[key: string]: unknown;
					};
				};
			};
		};
		/** @description The binding. */
		SipTrunkAssigned: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["SipTrunkAssigned"];
				};
			};
		};
		/** @description The connection. */
		SipTrunkConnection: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["SipTrunkConnection"];
				};
			};
		};
		/** @description The build conversation. */
		BuildConversation: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["BuildConversation"];
				};
			};
		};
		/** @description The builder. */
		Builder: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Builder"];
				};
			};
		};
		/** @description The spending. */
		BuilderSpending: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["BuilderSpending"];
				};
			};
		};
		/** @description What the command gave. */
		BuilderExecResult: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["BuilderExecResult"];
				};
			};
		};
		/** @description The SSH access. */
		BuilderSshAccess: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["BuilderSshAccess"];
				};
			};
		};
		/** @description The action was dispatched; data is empty in the only example seen. */
		CallAction: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: {
						[key: string]: unknown;
					};
				};
			};
		};
		/** @description The campaign. */
		Campaign: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Campaign"];
				};
			};
		};
		/** @description A page of campaigns. */
		CampaignPage: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Page"] & {
						data?: components["schemas"]["Campaign"][];
					};
				};
			};
		};
		/** @description What was attached. */
		CampaignPoolsAttached: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: {
						pool_uuids_not_found?: string[];
					} & {
						[key: string]: unknown;
					};
				};
			};
		};
		/** @description The campaign with a snapshot of its new rule. */
		CampaignRule: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: {
						/** Format: uuid */
						campaign_uuid?: string;
						rule?: components["schemas"]["Rule"];
					};
				};
			};
		};
		/** @description The coaching agent. */
		CoachingAgent: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["CoachingAgent"];
				};
			};
		};
		/** @description The contact. */
		Contact: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Contact"];
				};
			};
		};
		/** @description A page of contacts. */
		ContactPage: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Page"] & {
						data?: components["schemas"]["Contact"][];
					};
				};
			};
		};
		/** @description The blacklisted contact. */
		ContactBlacklisted: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["ContactBlacklisted"];
				};
			};
		};
		/** @description The custom field; its shape is not shown. */
		ContactField: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["ContactField"];
				};
			};
		};
		/** @description The custom fields; the layout is not shown. */
		ContactFieldList: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["ContactField"][];
				};
			};
		};
		/** @description The conversation. */
		Conversation: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Conversation"];
				};
			};
		};
		/** @description A page of conversations. */
		ConversationPage: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Page"] & {
						data?: components["schemas"]["Conversation"][];
					};
				};
			};
		};
		/** @description A page of messages. */
		MessagePage: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Page"] & {
						data?: components["schemas"]["Message"][];
					};
				};
			};
		};
		/** @description A page of sessions. */
		SessionPage: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Page"] & {
						data?: components["schemas"]["Session"][];
					};
				};
			};
		};
		/** @description The table. */
		Table: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Table"];
				};
			};
		};
		/** @description The columns; the layout is not shown. */
		TableFields: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["TableColumn"][];
				};
			};
		};
		/** @description A page of records. */
		RecordPage: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Page"] & {
						data?: components["schemas"]["Record"][];
					};
				};
			};
		};
		/** @description The record. */
		Record: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Record"];
				};
			};
		};
		/** @description The execution. */
		ActionLog: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["ActionLog"];
				};
			};
		};
		/** @description The evaluation settings. */
		EvaluateSettings: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["EvaluateSettings"];
				};
			};
		};
		/** @description The evaluation. */
		Evaluation: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Evaluation"];
				};
			};
		};
		/** @description A page of evaluations. */
		EvaluationPage: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Page"] & {
						data?: components["schemas"]["Evaluation"][];
					};
				};
			};
		};
		/** @description The listing. */
		Listing: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Listing"];
				};
			};
		};
		/** @description The listings. */
		ListingList: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Listing"][];
				};
			};
		};
		/** @description The media. */
		Media: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Media"];
				};
			};
		};
		/** @description The call. */
		Call: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Call"];
				};
			};
		};
		/** @description A page of calls. */
		CallPage: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Page"] & {
						data?: components["schemas"]["Call"][];
					};
				};
			};
		};
		/** @description The call was accepted. */
		CallStarted: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["CallStarted"];
				};
			};
		};
		/** @description The message was accepted. */
		WhatsappTemplateSent: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["WhatsappTemplateSent"];
				};
			};
		};
		/** @description The template. */
		WhatsappTemplate: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["WhatsappTemplate"];
				};
			};
		};
		/** @description The templates; the layout is not shown. */
		WhatsappTemplateList: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["WhatsappTemplate"][];
				};
			};
		};
		/** @description The handle of the file. */
		WhatsappMediaUploaded: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["WhatsappMediaUploaded"];
				};
			};
		};
		/** @description The template setting. */
		WhatsappTemplateSetting: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["WhatsappTemplateSetting"];
				};
			};
		};
		/** @description The message was accepted. */
		SmsSent: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["SmsSent"];
				};
			};
		};
		/** @description The schedule. */
		Schedule: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Schedule"];
				};
			};
		};
		/** @description The schedules. */
		ScheduleList: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Schedule"][];
				};
			};
		};
		/** @description The task. */
		Task: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Task"];
				};
			};
		};
		/** @description The transcription request. */
		Transcription: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Transcription"];
				};
			};
		};
		/** @description The transcription and how far it is. */
		TranscriptionState: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["TranscriptionState"];
				};
			};
		};
		/** @description The transcript. */
		Transcript: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Transcript"];
				};
			};
		};
		/** @description The metrics. */
		CallAnalytics: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["CallAnalytics"];
			};
		};
		/** @description The metrics. */
		SessionAnalytics: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["SessionAnalytics"];
			};
		};
		/** @description A page of messages. */
		MessageExport: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["MessageExport"];
			};
		};
		/** @description The flow. */
		Flow: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Flow"];
				};
			};
		};
		/** @description The step under data. */
		FlowStep: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": {
					data?: components["schemas"]["FlowStep"];
				};
			};
		};
		/** @description The result of the test. */
		FlowStepTest: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["FlowStepTestResult"];
				};
			};
		};
		/** @description The pool. */
		Pool: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Pool"];
				};
			};
		};
		/** @description The new pool. */
		PoolDuplicate: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Pool"] & {
						contacts_copied?: number;
					};
				};
			};
		};
		/** @description A page of the pool's contacts. */
		PoolContactPage: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Page"] & {
						/** Format: uuid */
						pool_uuid?: string;
						data?: components["schemas"]["PoolContact"][];
					};
				};
			};
		};
		/** @description What was added. */
		PoolContactsAdded: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["PoolContactsAdded"];
				};
			};
		};
		/** @description The rule. */
		Rule: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Rule"];
				};
			};
		};
		/** @description A page of rules. */
		RulePage: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["Page"] & {
						data?: components["schemas"]["Rule"][];
					};
				};
			};
		};
		/** @description The phone number. */
		PhoneNumber: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["OwnedPhoneNumber"];
				};
			};
		};
		/** @description Phone numbers. */
		PhoneNumberItems: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: {
						items?: components["schemas"]["OwnedPhoneNumber"][];
						pagination?: components["schemas"]["Pagination"];
					};
				};
			};
		};
		/** @description The channels of the number. */
		PhoneNumberChannels: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["PhoneNumberChannels"];
				};
			};
		};
		/** @description Rates. */
		CallRateItems: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: {
						items?: components["schemas"]["CallRate"][];
						pagination?: components["schemas"]["Pagination"];
					};
				};
			};
		};
		/** @description The connector. */
		PbxConnector: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["PbxConnector"];
				};
			};
		};
		/** @description The QA agent. */
		QaAgent: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["QaAgent"];
				};
			};
		};
		/** @description The answer with its sources. */
		AgenticSearchAnswer: {
			headers: {
				[name: string]: unknown;
			};
			content: {
				"application/json": components["schemas"]["Envelope"] & {
					data?: components["schemas"]["AgenticSearchAnswer"];
				};
			};
		};
	};
	parameters: {
		Uuid: string;
		/** @description Start of the window, inclusive, ISO-8601 with offset. */
		From: string;
		/** @description End of the window, exclusive, ISO-8601 with offset. */
		To: string;
	};
	requestBodies: never;
	headers: never;
	pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
	listAgents: {
		parameters: {
			query?: {
				page?: number;
				per_page?: number;
				status?: components["schemas"]["AgentStatus"];
				/** @description Looks in name, company and role. */
				search?: string;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["AgentItems"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createAgent: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": WithRequired<components["schemas"]["AgentWrite"], "name">;
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Agent"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getAgent: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Agent"];
			404: components["responses"]["NotFound"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateAgent: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["AgentWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Agent"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	addAgentNote: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["NoteWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	replaceAgentGuidelines: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["GuidelinesReplace"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	addAgentGuideline: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["GuidelineWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listAgentWebhooks: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["AgentWebhookItems"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	addAgentWebhook: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["AgentWebhookWrite"];
			};
		};
		responses: {
			409: components["responses"]["WebhookLimitReached"];
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentWebhook"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	deleteAgentWebhook: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				webhookUuid: string;
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateAgentWebhook: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				webhookUuid: string;
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["AgentWebhookUpdate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentWebhook"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getAgentVoiceAdvanced: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["VoiceAdvanced"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateAgentVoiceAdvanced: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["VoiceAdvancedWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["VoiceAdvanced"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getAgentCompliance: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Compliance"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getAgentVoice: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["AgentVoice"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateAgentInteraction: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["VoiceInteraction"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["VoiceInteraction"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateAgentCallBehavior: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CallBehavior"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["CallBehavior"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	deleteAgentGuideline: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				guidelineUuid: string;
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	deleteAgentNote: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				noteUuid: string;
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	addAgentProcedure: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["ProcedureWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	deleteAgentProcedure: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				procedureUuid: string;
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateAgentProcedure: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				procedureUuid: string;
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["ProcedureWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	replaceAgentTraining: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["TrainingReplace"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	addAgentTrainingItem: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["TrainingItemWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	deleteAgentTrainingItem: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				trainingUuid: string;
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateAgentTrainingItem: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				trainingUuid: string;
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["TrainingItemWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	replaceAgentAppointments: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["AgentAppointments"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	replaceAgentRoutingRules: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["RoutingRulesReplace"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	addAgentRoutingRule: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["RoutingRuleWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	deleteAgentRoutingRule: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				ruleUuid: string;
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateAgentRoutingRule: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				ruleUuid: string;
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["RoutingRuleWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	replaceAgentGuardRules: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["GuardRulesReplace"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	addAgentGuardRule: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": WithRequired<components["schemas"]["GuardRuleWrite"], "when_condition" | "then_action">;
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	deleteAgentGuardRule: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				ruleUuid: string;
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateAgentGuardRule: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				ruleUuid: string;
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["GuardRuleWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgentData"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createAgentIntent: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": WithRequired<components["schemas"]["IntentWrite"], "name">;
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Intent"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateAgentIntent: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				intentUuid: string;
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": WithRequired<components["schemas"]["IntentWrite"], "name">;
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Intent"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getAgentIntentEvent: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				intentUuid: string;
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["IntentEvent"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	setAgentIntentEvent: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				intentUuid: string;
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["IntentEventWrite"];
			};
		};
		responses: {
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["IntentEvent"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	publishAgentIntentEvent: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				intentUuid: string;
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["OpenBody"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateContactAnalyzer: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description With a prefix: b_ built-in contact field, f_ custom contact field, p_ pipeline stage rule (interface §2.11). */
				internal_id: string;
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["ContactAnalyzerWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listAppointments: {
		parameters: {
			query?: {
				start_date?: string;
				end_date?: string;
				schedule_uuid?: string;
				contact_uuid?: string;
				status?: string;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["AppointmentList"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createAppointment: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["AppointmentCreate"];
			};
		};
		responses: {
			201: components["responses"]["Appointment"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getAppointment: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Appointment"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateAppointment: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["AppointmentUpdate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Appointment"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	deleteAppointment: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	setAppointmentStatus: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["AppointmentStatusWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Appointment"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listAppointmentRequests: {
		parameters: {
			query?: {
				status?: "pending" | "approved" | "rejected";
				schedule_uuid?: string;
				start_date?: string;
				end_date?: string;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["AppointmentRequestList"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createAppointmentRequest: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["AppointmentRequestCreate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AppointmentRequest"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getAppointmentRequest: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["AppointmentRequest"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	cancelAppointmentRequest: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AppointmentRequest"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createSipTrunkConnection: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["SipTrunkConnectionCreate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["SipTrunkConnection"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	provisionAgentCallChannel: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CallChannelProvision"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["CallChannelProvisioned"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	assignAgentSipTrunk: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["SipTrunkAssign"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["SipTrunkAssigned"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	assignAgentSmsNumber: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["OpenBody"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	startBuildConversation: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["BuildConversationStart"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["BuildConversation"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getBuildConversation: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["BuildConversation"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	answerBuildConversation: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["BuildConversationAnswer"];
			};
		};
		responses: {
			409: components["responses"]["Conflict"];
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["BuildConversation"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	approveBuildConversation: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["BuildConversation"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	rebuildBuildConversation: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["BuildConversationRebuild"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["BuildConversation"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createBuilder: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["BuilderCreate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Builder"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getBuilderSpending: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["BuilderSpending"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	startBuilder: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["OpenBody"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	stopBuilder: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["OpenBody"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getBuilderLogs: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Open"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getBuilderFiles: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Open"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	execInBuilder: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["BuilderExec"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["BuilderExecResult"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createBuilderSsh: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["BuilderSsh"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["BuilderSshAccess"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	recreateBuilderSsh: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["BuilderSsh"];
			};
		};
		responses: {
			200: components["responses"]["BuilderSshAccess"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	sayInCall: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CallSay"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["CallAction"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	forwardCall: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CallForward"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["CallAction"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	hangUpCall: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["CallHangUp"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["CallAction"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	muteCall: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["CallAction"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	unmuteCall: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["CallAction"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listCampaigns: {
		parameters: {
			query?: {
				page?: number;
				per_page?: number;
				search?: string;
				status?: string;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["CampaignPage"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createCampaign: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CampaignCreate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Campaign"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getCampaign: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Campaign"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateCampaign: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CampaignUpdate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Campaign"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	deleteCampaign: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	attachCampaignPools: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CampaignPoolsAttach"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["CampaignPoolsAttached"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	setCampaignRule: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CampaignRuleSet"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["CampaignRule"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createCoachingAgent: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CoachingAgentWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["CoachingAgent"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateCoachingAgent: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CoachingAgentWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["CoachingAgent"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	setDefaultCoachingAgent: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["OpenBody"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listContacts: {
		parameters: {
			query?: {
				page?: number;
				per_page?: number;
				status?: components["schemas"]["ContactStatus"];
				/** @description Looks in name, email and phone. */
				search?: string;
				/** @description Preferred channel. */
				contact_channel?: "Call" | "SMS" | "WhatsApp";
				/** @description Current pipeline stage. */
				stage_uuid?: string;
				/** @description Contacts whose pool is attached to that campaign. */
				campaign_uuid?: string;
				tag_uuid?: string;
				pool_uuid?: string;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["ContactPage"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createContact: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["ContactWrite"];
			};
		};
		responses: {
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Contact"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getContact: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Contact"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateContact: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["ContactWrite"];
			};
		};
		responses: {
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Contact"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	deleteContact: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	blacklistContact: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["ContactBlacklist"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["ContactBlacklisted"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	addContactTag: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["ContactTag"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Contact"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	removeContactTag: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["ContactTag"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Contact"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listContactApprovals: {
		parameters: {
			query?: {
				page?: number;
				per_page?: number;
				status?: "Pending" | "Approved" | "Rejected";
				/** @description Raw name on the approval, like b_email, f_my_field or p_stage_change. */
				field_name?: string;
				/** @description Key of a custom field; the same as field_name f_ plus that key. */
				field_key?: string;
				/** @description high from 0.8, medium 0.5 to 0.79, low under 0.5. */
				confidence?: "high" | "medium" | "low";
				contact_uuid?: string;
				conversation_uuid?: string;
				/** @description A pipeline is the same record as a contact pool. */
				pipeline_uuid?: string;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["OpenList"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listContactFields: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["ContactFieldList"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createContactField: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["ContactFieldCreate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["ContactField"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateContactField: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description The key of a custom contact field, unique and immutable. */
				key: string;
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["ContactFieldUpdate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["ContactField"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	deleteContactField: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description The key of a custom contact field, unique and immutable. */
				key: string;
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listConversations: {
		parameters: {
			query?: {
				page?: number;
				per_page?: number;
				/** @description Part of the contact's phone number. */
				phone?: string;
				contact_uuid?: string;
				agent_uuid?: string;
				channel?: string;
				status?: string;
				sort_by?: string;
				sort_dir?: "asc" | "desc";
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["ConversationPage"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getConversation: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Conversation"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listConversationMessages: {
		parameters: {
			query?: {
				page?: number;
				per_page?: number;
				sender?: "AI" | "Human" | "Contact";
				sort_dir?: "asc" | "desc";
			};
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["MessagePage"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listConversationSessions: {
		parameters: {
			query?: {
				page?: number;
				per_page?: number;
				status?: string;
			};
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["SessionPage"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listSessionMessages: {
		parameters: {
			query?: {
				page?: number;
				per_page?: number;
				sender?: "AI" | "Human" | "Contact";
				sort_dir?: "asc" | "desc";
			};
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["MessagePage"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getSessionEvaluation: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Evaluation"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createTable: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["TableCreate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Table"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	importTableText: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["TableImportText"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Table"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	importTableFile: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"multipart/form-data": components["schemas"]["TableImportFile"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Table"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	importTableWebsite: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["TableImportWebsite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Table"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getTable: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Table"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listTableFields: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["TableFields"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listTableRecords: {
		parameters: {
			query?: {
				page?: number;
				per_page?: number;
			};
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["RecordPage"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createTableRecord: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["RecordWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Record"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateTableRecord: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				/** @description Identifies the record; whether it is a uuid is not shown. */
				record: string;
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["RecordWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Record"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	deleteTableRecord: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				/** @description Identifies the record; whether it is a uuid is not shown. */
				record: string;
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	assignTable: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["TableAssign"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	syncTable: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["OpenBody"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listActionLogs: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["OpenList"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getActionLog: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				type: "task" | "workflow" | "intent";
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["ActionLog"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	sendEmail: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["EmailSend"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getDefaultEvaluateSettings: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["EvaluateSettings"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateDefaultEvaluateSettings: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["EvaluateSettingsWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["EvaluateSettings"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateAgentEvaluateSettings: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["AgentEvaluateSettingsWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["EvaluateSettings"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	deleteAgentEvaluateSettings: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	assignAgentEvaluateSettings: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["OpenBody"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["EvaluateSettings"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	reassignAgentEvaluateSettings: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["EvaluateSettings"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listEvaluations: {
		parameters: {
			query?: {
				page?: number;
				per_page?: number;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["EvaluationPage"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getEvaluation: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Evaluation"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listListings: {
		parameters: {
			query?: {
				per_page?: number;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["ListingList"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createListing: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["ListingCreate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Listing"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	addListingContacts: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["ListingContactsAdd"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	removeListingContact: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				contactUuid: string;
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listMedias: {
		parameters: {
			query?: {
				/** @description Looks in the file name. */
				search?: string;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["OpenList"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	uploadMedia: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"multipart/form-data": components["schemas"]["MediaUpload"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Media"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getMedia: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Media"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	startCall: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["CallStart"];
			};
		};
		responses: {
			404: components["responses"]["NotFound"];
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["CallStarted"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listCalls: {
		parameters: {
			query?: {
				page?: number;
				per_page?: number;
				/** @description The uuid of the agent. */
				agent_id?: string;
				direction?: string;
				status?: string;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["CallPage"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getCall: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Call"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	sendWhatsappTemplate: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["WhatsappTemplateSend"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["WhatsappTemplateSent"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listWhatsappTemplates: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["WhatsappTemplateList"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createWhatsappTemplate: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["WhatsappTemplateCreate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["WhatsappTemplate"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	uploadWhatsappTemplateMedia: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"multipart/form-data": components["schemas"]["WhatsappMediaUpload"];
			};
		};
		responses: {
			422: components["responses"]["ValidationFailed"];
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["WhatsappMediaUploaded"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listWhatsappBusinessAccounts: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["OpenList"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createWhatsappTemplateSetting: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["WhatsappTemplateSettingCreate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["WhatsappTemplateSetting"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	sendSms: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["SmsSend"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["SmsSent"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listSchedules: {
		parameters: {
			query?: {
				availability_type_uuid?: string;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["ScheduleList"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createSchedule: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["ScheduleCreate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Schedule"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getSchedule: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Schedule"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateSchedule: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["ScheduleUpdate"];
			};
		};
		responses: {
			200: components["responses"]["Schedule"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listTasks: {
		parameters: {
			query?: {
				page?: number;
				per_page?: number;
				type?: "send_message" | "make_call" | "send_email" | "follow_up" | "appointment" | "survey" | "notification" | "webhook" | "custom";
				status?: "pending" | "scheduled" | "queued" | "in_progress" | "completed" | "failed" | "cancelled" | "expired" | "on_hold";
				contact_uuid?: string;
				campaign_uuid?: string;
				agent_uuid?: string;
				priority?: number;
				scheduled_from?: components["schemas"]["Instant"];
				scheduled_to?: components["schemas"]["Instant"];
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["OpenList"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createTask: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["TaskCreate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Task"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getTask: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Task"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateTask: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["TaskUpdate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Task"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	deleteTask: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Task"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	cancelTask: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Task"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	queueTask: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Task"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	retryTask: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Task"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createTranscription: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"multipart/form-data": components["schemas"]["TranscriptionCreate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Transcription"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getTranscription: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["TranscriptionState"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getTranscript: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Transcript"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getCallAnalytics: {
		parameters: {
			query: {
				/** @description Start of the window, inclusive, ISO-8601 with offset. */
				from: components["parameters"]["From"];
				/** @description End of the window, exclusive, ISO-8601 with offset. */
				to: components["parameters"]["To"];
				/** @description Adds previous, the window of equal length just before. */
				compare_prev?: boolean;
				granularity?: "total";
				/** @description Channel tokens separated by commas. */
				channel?: string;
				agent_uuid?: string;
				campaign_uuid?: string;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["CallAnalytics"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getSessionAnalytics: {
		parameters: {
			query: {
				/** @description Start of the window, inclusive, ISO-8601 with offset. */
				from: components["parameters"]["From"];
				/** @description End of the window, exclusive, ISO-8601 with offset. */
				to: components["parameters"]["To"];
				compare_prev?: boolean;
				granularity?: "total";
				/** @description Channel tokens separated by commas. */
				channel?: string;
				agent_uuid?: string;
				campaign_uuid?: string;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["SessionAnalytics"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	exportMessages: {
		parameters: {
			query: {
				/** @description Start of the window, inclusive, ISO-8601 with offset. */
				from: components["parameters"]["From"];
				/** @description End of the window, exclusive, ISO-8601 with offset. */
				to: components["parameters"]["To"];
				channel?: string;
				agent_uuid?: string;
				campaign_uuid?: string;
				limit?: number;
				/** @description pagination.next_cursor of the answer before. */
				cursor?: string;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["MessageExport"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getConversationAnalytics: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["OpenAnalytics"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getEvaluationAnalytics: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["OpenAnalytics"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listFlows: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["OpenList"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	deployFlow: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["OpenBody"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	undeployFlow: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Flow"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	addFlowStep: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["FlowStepAdd"];
			};
		};
		responses: {
			409: components["responses"]["Conflict"];
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["FlowStep"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateFlowStep: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				step: string;
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["FlowStepUpdate"];
			};
		};
		responses: {
			409: components["responses"]["Conflict"];
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["FlowStep"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	testFlowStep: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
				step: string;
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["FlowStepTest"];
			};
		};
		responses: {
			404: components["responses"]["NotFound"];
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["FlowStepTest"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listFlowApps: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["OpenList"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listFlowAppTriggers: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description uid of an app. */
				uid: string;
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["OpenList"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listFlowAppActions: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				/** @description uid of an app. */
				uid: string;
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["OpenList"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listFlowConnections: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["OpenList"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getOutboundSummary: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Open"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createPool: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["PoolCreate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Pool"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updatePool: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["PoolUpdate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Pool"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	duplicatePool: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["PoolDuplicate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["PoolDuplicate"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listPoolContacts: {
		parameters: {
			query?: {
				page?: number;
				per_page?: number;
				/** @description Looks in name, surname, email and phone number. */
				search?: string;
				status?: string;
			};
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["PoolContactPage"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	addPoolContacts: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["PoolContactsAdd"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["PoolContactsAdded"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listRules: {
		parameters: {
			query?: {
				page?: number;
				per_page?: number;
				type?: components["schemas"]["RuleType"];
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["RulePage"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createRule: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": WithRequired<components["schemas"]["RuleWrite"], "name">;
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Rule"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getRule: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Rule"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateRule: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["RuleWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Rule"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listPhoneNumbers: {
		parameters: {
			query?: {
				page?: number;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["PhoneNumberItems"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	buyPhoneNumber: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["PhoneNumberBuy"];
			};
		};
		responses: {
			403: components["responses"]["Forbidden"];
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["PhoneNumber"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updatePhoneNumber: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["PhoneNumberUpdate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["PhoneNumber"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	releasePhoneNumber: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: {
			content: {
				"application/json": components["schemas"]["OpenBody"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getPhoneNumberChannels: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["PhoneNumberChannels"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getPhoneNumberChannelsByNumber: {
		parameters: {
			query?: {
				number?: string;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["PhoneNumberChannels"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	searchPhoneNumbers: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["OpenList"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getPhoneNumberRequirements: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["Open"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listCallRates: {
		parameters: {
			query?: {
				country_code?: string;
				/** @description What the number that is called begins with. */
				prefix?: string;
				page?: number;
				per_page?: number;
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["CallRateItems"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	uploadPhoneNumberDocument: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"multipart/form-data": components["schemas"]["DocumentUpload"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	listTrunks: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["PhoneNumberItems"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	registerTrunk: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["TrunkRegister"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["PhoneNumberChannels"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	deleteTrunk: {
		parameters: {
			query?: {
				/** @description With or without the plus. */
				phone_number?: string;
				channel?: components["schemas"]["TrunkChannel"];
			};
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["Open"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateTrunk: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["TrunkUpdate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["PhoneNumberChannels"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	assignTrunk: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["TrunkAssign"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["PhoneNumberChannels"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	createPbxConnector: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["PbxConnectorCreate"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["PbxConnector"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getPbxConnector: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["PbxConnector"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	getQaAgent: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody?: never;
		responses: {
			200: components["responses"]["QaAgent"];
			429: components["responses"]["RateLimited"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	updateQaAgent: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["QaAgentWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["QaAgent"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	patchQaAgent: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["QaAgentWrite"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["QaAgent"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	replaceQaAgentSkills: {
		parameters: {
			query?: never;
			header?: never;
			path: {
				uuid: components["parameters"]["Uuid"];
			};
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["QaAgentSkillsReplace"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["QaAgent"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
	agenticSearch: {
		parameters: {
			query?: never;
			header?: never;
			path?: never;
			cookie?: never;
		};
		requestBody: {
			content: {
				"application/json": components["schemas"]["AgenticSearch"];
			};
		};
		responses: {
			429: components["responses"]["RateLimited"];
			"2XX": components["responses"]["AgenticSearchAnswer"];
			"4XX": components["responses"]["ClientError"];
			"5XX": components["responses"]["ServerError"];
		};
	};
}
type WithRequired<T, K extends keyof T> = T & {
	[P in K]-?: T[P];
};
/** Filters of lists whose names are a guess, so that the platform may ignore them. */
export interface guessedFilters {
	"GET /agents": "status" | "search";
	"GET /sessions/{uuid}/messages": "sender";
	"GET /medias": "search";
	"GET /pools/{uuid}/contacts": "search";
}
