{{- define "tollgate.name" -}}{{ .Release.Name | trunc 53 | trimSuffix "-" }}{{- end }}
{{- define "tollgate.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "tollgate.labels" -}}
{{ include "tollgate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "tollgate.secret" -}}{{ .Values.existingSecret | default (include "tollgate.name" .) }}{{- end }}
