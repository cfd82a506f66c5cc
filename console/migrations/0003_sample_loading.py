"""How far the loading of the sample came."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("console", "0002_received_reply")]

    operations = [
        migrations.CreateModel(
            name="SampleLoading",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("started_at", models.DateTimeField(help_text="The instant that the sample's times count from.")),
                ("steps_done", models.PositiveIntegerField(default=0)),
                ("is_finished", models.BooleanField(default=False)),
            ],
        ),
    ]
