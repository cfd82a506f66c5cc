"""What the sample's receiver takes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("console", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="ReceivedReply",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("webhook_id", models.TextField(unique=True)),
                ("conversation", models.TextField()),
                ("text", models.TextField()),
                ("received_at", models.DateTimeField(help_text="When it came first.")),
                ("last_at", models.DateTimeField()),
                ("times", models.PositiveIntegerField(default=1, help_text="How often it came.")),
            ],
            options={
                "indexes": [models.Index(fields=["received_at", "id"], name="received_reply_by_age")],
            },
        ),
    ]
