{{- define "handrail.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "handrail.labels" -}}
app.kubernetes.io/name: handrail
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "handrail.env" -}}
envFrom:
  - secretRef:
      name: {{ .Values.existingSecret }}
env:
  - name: HANDRAIL_ORIGIN
    value: {{ .Values.origin | quote }}
{{- range $name, $value := .Values.env }}
  - name: {{ $name }}
    value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "handrail.container" -}}
image: {{ include "handrail.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: tmp
    mountPath: /tmp
{{ include "handrail.env" . }}
{{- end }}

{{- define "handrail.pod" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  seccompProfile:
    type: RuntimeDefault
automountServiceAccountToken: false
volumes:
  - name: tmp
    emptyDir: {}
{{- end }}
